<?php
function fetch(string $url, string $authorization, string $body = ""): array {
  $http = ["method" => $body ? "POST" : "GET", "content" => $body, "header" => [
    "Authorization: $authorization", "Content-Type: application/x-www-form-urlencoded"]];
  return json_decode(file_get_contents($url, false, stream_context_create(["http" => $http, "ssl" => [THE_TRUST]])), true);
}
$basic = base64_encode("THE_CLIENT_ID:THE_SECRET");
$token = fetch("THE_TOKEN", "Basic $basic", "grant_type=client_credentials")["access_token"];
echo json_encode(fetch("THE_REPORT", "Bearer $token"));
