// German texts of the drawing of many paths. Separate from texts.ts, because no first page needs them.

export const bouquet = {
  about: (count: number) =>
    count === 1 ? "1 Flugweg von seinem Start aus" : `${count} Flugwege, je vom eigenen Start aus`,
};
