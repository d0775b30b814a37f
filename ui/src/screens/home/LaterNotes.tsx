// What home tells that no first page waits for.
import { ServerProblems } from "./ServerProblems";
import { VoltageHint } from "./VoltageHint";

export function LaterNotes() {
  return (
    <>
      <ServerProblems />
      <VoltageHint />
    </>
  );
}
