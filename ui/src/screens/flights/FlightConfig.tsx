// Holds the place of this screen in the router until it is written.
import { Page } from "../../components/Page";

export function FlightConfig() {
  return <Page title="FlightConfig">{null}</Page>;
}
