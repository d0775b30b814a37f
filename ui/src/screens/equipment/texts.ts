// German texts of the items' pages. Separate from texts.ts, because no first page needs them.

export const copterStage = {
  title: "Flugwege",
  far: (length: string) => `bis ${length} weit`,
  high: (length: string) => `bis ${length} hoch`,
};
