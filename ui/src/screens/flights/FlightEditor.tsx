// Holds the place of this screen in the router until it is written.
import { Page } from "../../components/Page";

export function FlightEditor({ mode }: { mode: "new" | "finish" | "edit" }) {
  return <Page title={`FlightEditor ${mode}`}>{null}</Page>;
}
