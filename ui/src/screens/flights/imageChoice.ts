// Limits of a flight's pictures: number, total size, types. Pure functions.

import { files as fileTexts } from "../../components/texts/files";
import { largestUploadBytes } from "../../lib/fileKinds";
import { imageTypes } from "../../lib/imageTypes";
import { images as texts } from "./texts";

export const largestImageCount = 5;

/** The chosen files after picking more, as many as fit, and why others were left out. */
type ImageChoice = { chosen: File[]; problem: string | null };

export function addImages(chosen: File[], picked: File[], countThere: number): ImageChoice {
  const result: ImageChoice = { chosen: [...chosen], problem: null };
  for (const file of picked) {
    const problem = problemOf(result.chosen, file, countThere);
    if (problem === null) result.chosen.push(file);
    else result.problem ??= problem;
  }
  return result;
}

function problemOf(chosen: File[], file: File, countThere: number): string | null {
  if (!imageTypes.includes(file.type)) return fileTexts.noImage;
  if (countThere + chosen.length >= largestImageCount) return texts.tooMany;
  const bytes = chosen.reduce((sum, { size }) => sum + size, file.size);
  return bytes > largestUploadBytes ? texts.tooLarge : null;
}
