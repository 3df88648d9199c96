package demo;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.annotation.Bean;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.core.annotation.AuthenticationPrincipal;
import org.springframework.security.oauth2.core.oidc.user.OidcUser;
import org.springframework.security.web.SecurityFilterChain;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

@SpringBootApplication
@RestController
public class App {
  public static void main(String[] arguments) {
    SpringApplication.run(App.class, arguments);
  }

  @Bean
  SecurityFilterChain pages(HttpSecurity http) throws Exception {
    return http.authorizeHttpRequests(requests -> requests.anyRequest().authenticated())
        .oauth2Login(login -> login.redirectionEndpoint(endpoint -> endpoint.baseUri("THE_PATH")))
        .build();
  }

  @GetMapping("/")
  String home(@AuthenticationPrincipal OidcUser person) {
    return "Signed in as " + person.getSubject();
  }
}
