// A description is required in the dialogs.
import { documents as texts } from "../../texts";

export const descriptionRules = {
  required: texts.descriptionMissing,
  validate: (value: unknown) => String(value).trim() !== "" || texts.descriptionMissing,
};
