// A copter's flights on a dark stage: their paths, or else how far and how high it ever flew.
import { useReview } from "../../api/reviews";
import { Bouquet, Stage } from "../../components/Bouquet";
import { bouquet } from "../../components/bouquetTexts";
import { FigureDrawing } from "../../components/FlightPicture";
import { formatQuantity } from "../../lib/numbers";
import { copterStage as texts } from "./texts";

export function CopterStage({ copter }: { copter: string }) {
  const query = useReview({ year: null, copter, place: null });
  const review = query.data;
  const paths = review?.paths ?? [];
  const [far, high] = [review?.furthest?.value ?? 0, review?.highest?.value ?? 0];
  const figures = [
    ...(far > 0 ? [texts.far(formatQuantity(far, "m"))] : []),
    ...(high > 0 ? [texts.high(formatQuantity(high, "m"))] : []),
  ];
  // As high without an answer as with one, so that nothing below moves.
  const note = paths.length > 0 ? bouquet.about(paths.length) : figures.join(" · ") || "\u00a0";
  // Without network there is nothing to draw.
  if (query.isLoadingError) return null;
  return (
    <Stage label={texts.title} note={note}>
      {paths.length > 0 ? (
        <Bouquet paths={paths} />
      ) : (
        review && (
          <svg viewBox="-24 -22 48 30" aria-hidden="true">
            <FigureDrawing far={far} high={high} />
          </svg>
        )
      )}
    </Stage>
  );
}
