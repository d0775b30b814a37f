// The notes of home that are loaded after the first page.
import { ServerProblems } from "./ServerProblems";
import { VoltageHint } from "./VoltageHint";

export function DeferredNotes() {
  return (
    <>
      <ServerProblems />
      <VoltageHint />
    </>
  );
}
