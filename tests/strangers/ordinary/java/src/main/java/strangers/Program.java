package strangers;

import static org.springframework.security.config.Customizer.withDefaults;

import java.util.Map;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.context.annotation.Bean;
import org.springframework.core.annotation.Order;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.core.annotation.AuthenticationPrincipal;
import org.springframework.security.oauth2.client.OAuth2AuthorizedClient;
import org.springframework.security.oauth2.client.annotation.RegisteredOAuth2AuthorizedClient;
import org.springframework.security.oauth2.client.oidc.web.logout.OidcClientInitiatedLogoutSuccessHandler;
import org.springframework.security.oauth2.client.registration.ClientRegistrationRepository;
import org.springframework.security.oauth2.core.oidc.user.OidcUser;
import org.springframework.security.oauth2.jwt.Jwt;
import org.springframework.security.oauth2.jwt.JwtDecoder;
import org.springframework.security.oauth2.jwt.JwtValidators;
import org.springframework.security.oauth2.jwt.NimbusJwtDecoder;
import org.springframework.security.web.SecurityFilterChain;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/** Signs people in, and guards {@code /api} for access tokens, with what Spring Boot configures by itself. */
@SpringBootApplication
@RestController
public class Program {

    public static void main(String[] arguments) {
        SpringApplication.run(Program.class, arguments);
    }

    @Bean
    @Order(1)
    SecurityFilterChain api(HttpSecurity http) throws Exception {
        return http.securityMatcher("/api")
                .authorizeHttpRequests(requests -> requests.anyRequest().authenticated())
                .oauth2ResourceServer(server -> server.jwt(withDefaults()))
                .build();
    }

    @Bean
    @Order(2)
    SecurityFilterChain pages(HttpSecurity http, ClientRegistrationRepository clients) throws Exception {
        var atCredenceToo = new OidcClientInitiatedLogoutSuccessHandler(clients);
        atCredenceToo.setPostLogoutRedirectUri("{baseUrl}/goodbye");
        return http.authorizeHttpRequests(
                        requests -> requests.requestMatchers("/goodbye").permitAll().anyRequest().authenticated())
                .oauth2Login(withDefaults())
                .logout(logout -> logout.logoutSuccessHandler(atCredenceToo))
                .build();
    }

    /** Accepts the type at+jwt (RFC 9068), which Spring refuses by default. */
    @Bean
    @ConditionalOnProperty("verify.at-jwt")
    JwtDecoder verifier(
            @Value("${spring.security.oauth2.resourceserver.jwt.issuer-uri}") String issuer,
            @Value("${verify.audience}") String audience,
            @Value("${verify.client-id}") String clientId) {
        NimbusJwtDecoder decoder = NimbusJwtDecoder.withIssuerLocation(issuer).validateType(false).build();
        decoder.setJwtValidator(JwtValidators.createAtJwtValidator()
                .issuer(issuer)
                .audience(audience)
                .clientId(clientId)
                .build());
        return decoder;
    }

    @GetMapping("/")
    String home(@AuthenticationPrincipal OidcUser person) {
        return "Signed in as " + person.getEmail();
    }

    @GetMapping("/token")
    String token(@RegisteredOAuth2AuthorizedClient("credence") OAuth2AuthorizedClient client) {
        return client.getAccessToken().getTokenValue();
    }

    @GetMapping("/goodbye")
    String goodbye() {
        return "Signed out";
    }

    @GetMapping("/api")
    Map<String, String> api(@AuthenticationPrincipal Jwt token) {
        return Map.of("sub", token.getSubject());
    }
}
