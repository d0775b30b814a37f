// Fixture: the fields of a flight of which nothing is known.
import type { FlightFields } from "../../api/generated/FlightFields";
import { each, numberFields, textFields } from "./flightForm";

export const noFields: FlightFields = {
  startLatitude: null,
  startLongitude: null,
  endLatitude: null,
  endLongitude: null,
  flightMode: "0",
  ...each(textFields, () => ""),
  ...each(numberFields, () => null),
};
