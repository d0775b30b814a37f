// The version in the footer, taken from package.json.
import { version as packageVersion } from "../package.json";

export const version: string = packageVersion;
