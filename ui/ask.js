// Asks the server for what the first screen shows, while the application itself is still being loaded: who is logged
// in, and then the answers that this screen needs. The application takes them from here (src/api/prefetched.ts).
{
  /** The calls of screens, by their path below /app/. */
  const screens = [
    [
      /^(home)?$/,
      "GetAllEquipments",
      "GetFlights?limit=30",
      "GetStatistics",
      "GetFlightMonths",
      "GetLoginWays",
      "GetServerProblems",
    ],
    [/^flights$/, "GetFlights?limit=60", "GetServerProblems"],
    [/^equipments\/1$/, "GetEquipments?type=1&deactivated=false", "GetBatteryHints", "GetServerProblems"],
    [/^(login$|flights|equipments|my)/],
  ];

  const asked = new Map();
  window.fluglogAsked = asked;

  function ask(call) {
    const [name, fields] = call.split("?");
    const sent = fields ? { body: new URLSearchParams(fields) } : {};
    const method = name === "GetAllEquipments" ? "GET" : "POST";
    const answer = fetch(`/app/api/${name}`, { method, ...sent, signal: AbortSignal.timeout(30_000) });
    // Read to its end even if no screen takes it. The application asks again, and says so when nobody answers.
    answer.then((response) => response.clone().arrayBuffer()).catch(() => {});
    asked.set(`/app/api/${call}`, answer);
    return answer;
  }

  const path = location.pathname.replace(/^\/app\/?|\/$/g, "");
  const screen = screens.find(([paths]) => paths.test(path));
  if (screen) {
    ask("CheckSession").then(
      ({ ok }) => ok && screen.slice(1).forEach(ask),
      () => {},
    );
  }
}
