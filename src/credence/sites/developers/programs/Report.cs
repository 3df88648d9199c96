THE_TRUSTusing System;
using System.Collections.Generic;
using System.Net.Http;
using System.Net.Http.Headers;
using System.Text;
using System.Text.RegularExpressions;
using System.Threading.Tasks;

public class Report {
  public static void Main() { Fetch().GetAwaiter().GetResult(); }

  static async Task Fetch() {
    var http = new HttpClient();
    var basic = Convert.ToBase64String(Encoding.ASCII.GetBytes("THE_CLIENT_ID:THE_SECRET"));
    http.DefaultRequestHeaders.Authorization = new AuthenticationHeaderValue("Basic", basic);
    var form = new FormUrlEncodedContent(new Dictionary<string, string> { { "grant_type", "client_credentials" } });
    var issued = await (await http.PostAsync("THE_TOKEN", form)).Content.ReadAsStringAsync();
    var token = Regex.Match(issued, "\"access_token\":\"([^\"]*)\"").Groups[1].Value;
    http.DefaultRequestHeaders.Authorization = new AuthenticationHeaderValue("Bearer", token);
    Console.WriteLine(await http.GetStringAsync("THE_REPORT"));
  }
}
