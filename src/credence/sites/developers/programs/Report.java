THE_TRUSTimport java.net.URI;
import java.net.http.*;
import java.util.Base64;

public class Report {
  public static void main(String[] arguments) throws Exception {
    var http = HttpClient.newHttpClient();
    var basic = Base64.getEncoder().encodeToString("THE_CLIENT_ID:THE_SECRET".getBytes());
    var issued = http.send(HttpRequest.newBuilder(URI.create("THE_TOKEN"))
        .header("Authorization", "Basic " + basic)
        .header("Content-Type", "application/x-www-form-urlencoded")
        .POST(HttpRequest.BodyPublishers.ofString("grant_type=client_credentials")).build(),
        HttpResponse.BodyHandlers.ofString()).body();
    var token = issued.replaceAll(".*\"access_token\":\"([^\"]*)\".*", "$1");
    System.out.println(http.send(HttpRequest.newBuilder(URI.create("THE_REPORT"))
        .header("Authorization", "Bearer " + token).build(), HttpResponse.BodyHandlers.ofString()).body());
  }
}
