// A copter's flights on a dark stage: their paths, or else how far and how high it ever flew.
import type { Review } from "../../api/generated/Review";
import { useReview } from "../../api/reviews";
import { Bouquet } from "../../components/Bouquet";
import { bouquet } from "../../components/bouquetTexts";
import { FigureDrawing } from "../../components/FlightPicture";
import { formatQuantity } from "../../lib/numbers";
import "../../styles/stage.css";
import styles from "./CopterStage.module.css";
import { copterStage as texts } from "./texts";

export function CopterStage({ copter }: { copter: string }) {
  const review = useReview({ year: null, copter, place: null }).data;
  return (
    <section className={styles.stage} aria-label={texts.title}>
      {review && <Drawing review={review} />}
    </section>
  );
}

function Drawing({ review: { paths, furthest, highest } }: { review: Review }) {
  if (paths.length > 0) {
    return (
      <>
        <div className={styles.drawing}>
          <Bouquet paths={paths} />
        </div>
        <p aria-hidden="true">{bouquet.about(paths.length)}</p>
      </>
    );
  }
  const [far, high] = [furthest?.value ?? 0, highest?.value ?? 0];
  const words = [
    ...(far > 0 ? [texts.far(formatQuantity(far, "m"))] : []),
    ...(high > 0 ? [texts.high(formatQuantity(high, "m"))] : []),
  ];
  return (
    <>
      <svg className={styles.drawing} viewBox="-24 -20 48 28" aria-hidden="true">
        <FigureDrawing far={far} high={high} />
      </svg>
      <p>{words.join(" · ")}</p>
    </>
  );
}
