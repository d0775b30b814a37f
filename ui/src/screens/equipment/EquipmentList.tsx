// Holds the place of this screen in the router until it is written.
import { Page } from "../../components/Page";

export function EquipmentList() {
  return <Page title="EquipmentList">{null}</Page>;
}
