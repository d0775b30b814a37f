// The version that the footer shows. Taken from package.json, so that there is one number.
import { version as packageVersion } from "../package.json";

export const version: string = packageVersion;
