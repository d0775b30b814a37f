// Holds the place of this screen in the router until it is written.
import { Page } from "../../components/Page";

export function FlightDetail() {
  return <Page title="FlightDetail">{null}</Page>;
}
