// Fixture: the fields of a flight of which nothing is known.
import type { FlightFields } from "../../api/generated/FlightFields";

export const noFields: FlightFields = {
  location: "",
  startLatitude: null,
  startLongitude: null,
  endLatitude: null,
  endLongitude: null,
  flightTime: null,
  maximumAltitude: null,
  distance: null,
  maximumDistance: null,
  speed: null,
  batteryStartVoltage: null,
  batteryEndVoltage: null,
  consumedCapacity: null,
  flightMode: "0",
  weatherConditions: "",
  purpose: "",
  notes: "",
};
