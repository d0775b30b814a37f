// The look back: a year or all time, of all flights or those of one copter or place. The address holds the selection.
import { useState } from "react";
import { useSearchParams } from "react-router";
import { Kind } from "../../api/generated/Kind";
import type { Review } from "../../api/generated/Review";
import { useReview } from "../../api/reviews";
import { useCachedUser } from "../../api/session";
import { Button, ButtonLink, IconButton } from "../../components/Button";
import { ChoiceField } from "../../components/listTools";
import { Page, useGoBack } from "../../components/Page";
import { EmptyState, QueryView, Skeleton } from "../../components/states";
import { flights } from "../../components/texts/flights";
import { useMedia } from "../../components/useMedia";
import { formatDate, wallClock } from "../../lib/dates";
import { urls } from "../../urls";
import { Days } from "./Days";
import "../../styles/stage.css";
import { Months } from "./Months";
import { PictureDialog } from "./PictureDialog";
import { Records } from "./Records";
import styles from "./Review.module.css";
import { ReviewStage } from "./ReviewStage";
import { everyYear, parametersOf, type ReviewView, viewOf } from "./review";
import { Shares } from "./Shares";
import { review as texts } from "./texts";

/** Returns the period of the address, or the latest year with a flight. `year`: null for all time. */
function useReviewPeriod(view: ReviewView) {
  const thisYear = wallClock().year;
  const of = { copter: view.copter || null, place: view.place || null };
  const isLatest = view.year === "";
  const asked = isLatest ? thisYear : view.year === everyYear ? null : Number(view.year);
  const query = useReview({ year: asked, ...of });
  const latest = query.data?.years.at(-1)?.year;
  const isOld = isLatest && query.data?.flights === 0 && latest !== undefined;
  const old = useReview({ year: latest ?? asked, ...of }, isOld);
  return isOld ? { query: old, year: latest } : { query, year: asked };
}

export function ReviewPage() {
  const [parameters, setParameters] = useSearchParams();
  const view = viewOf(parameters);
  const { query, year } = useReviewPeriod(view);
  const goBack = useGoBack(urls.home);
  const nickname = useCachedUser()?.nickname ?? "";
  const [isPictureOpen, setPictureOpen] = useState(false);
  const review = query.data;
  const hasPicture = review !== undefined && review.flights > 0;
  const today = sortableDay();
  // Replaces the history entry: Back leads to the previous screen, not through all years.
  function changeView(change: Partial<ReviewView>) {
    setParameters(parametersOf({ ...view, ...change }), { replace: true, preventScrollReset: true });
  }
  const of = view.copter !== "" ? "copter" : view.place !== "" ? "place" : "all";
  return (
    <Page
      title={texts.title}
      onBack={goBack}
      isShort
      actions={hasPicture && <PictureButton onPress={() => setPictureOpen(true)} />}
    >
      <div className={styles.review}>
        <Filters view={view} year={year} review={review} onChange={changeView} />
        <QueryView query={query} failure={texts.failed} skeleton={<Skeleton count={3} height={12} />}>
          {(shown) =>
            shown.flights === 0 ? (
              <Nothing view={view} review={shown} />
            ) : (
              <Content key={parameters.toString()} review={shown} year={year} view={view} today={today} />
            )
          }
        </QueryView>
      </div>
      {hasPicture && (
        <PictureDialog
          subject={{ review, year, of, nickname, today }}
          isOpen={isPictureOpen}
          onClose={() => setPictureOpen(false)}
        />
      )}
    </Page>
  );
}

/** Only an icon on a narrow window. */
function PictureButton({ onPress }: { onPress: () => void }) {
  const hasRoom = useMedia("(width >= 22rem)");
  if (!hasRoom) return <IconButton icon="upload" label={texts.picture.open} onPress={onPress} />;
  return (
    <Button icon="upload" onPress={onPress}>
      {texts.picture.open}
    </Button>
  );
}

/** Formats today as "2026-11-24". */
function sortableDay(): string {
  return formatDate(wallClock()).split(".").reverse().join("-");
}

function Content({
  review,
  year,
  view,
  today,
}: {
  review: Review;
  year: number | null;
  view: ReviewView;
  today: string;
}) {
  const period = view.year;
  const backOn = (of: Partial<ReviewView>) =>
    urls.reviewOf(parametersOf({ year: period, copter: "", place: "", ...of }));
  return (
    <>
      <ReviewStage review={review} year={year} today={today} />
      <Days review={review} view={view} today={today} />
      <div className={styles.columns}>
        <div className={styles.column}>
          <Months review={review} year={year} />
          <Shares
            title={texts.coptersTitle}
            parts={review.copters}
            linkTo={(copter) => backOn({ copter })}
            icon="drone"
          />
          <Shares
            title={texts.batteriesTitle}
            parts={review.batteries}
            linkTo={(battery) => urls.item(Kind.Battery, battery)}
            icon="battery"
          />
        </div>
        <div className={styles.column}>
          <Records review={review} />
          <Shares
            title={texts.placesTitle}
            parts={review.places}
            linkTo={(place) => backOn({ place })}
            icon="map-pin"
          />
        </div>
      </div>
    </>
  );
}

function Nothing({ view, review }: { view: ReviewView; review: Review }) {
  const isNew = review.years.length === 0 && view.copter === "" && view.place === "";
  const everything = urls.reviewOf(parametersOf({ year: everyYear, copter: "", place: "" }));
  return (
    <EmptyState
      icon="calendar"
      action={
        isNew ? (
          <ButtonLink to={urls.flightConfig} icon="start">
            {flights.start}
          </ButtonLink>
        ) : (
          <ButtonLink to={everything}>{texts.showAll}</ButtonLink>
        )
      }
    >
      {isNew ? texts.none : texts.noneHere}
    </EmptyState>
  );
}

/** Selects the period, and the copter or place. */
function Filters({
  view,
  year,
  review,
  onChange,
}: {
  view: ReviewView;
  year: number | null;
  review: Review | undefined;
  onChange: (change: Partial<ReviewView>) => void;
}) {
  // The answer for all flights of the period has the copters and places to choose from.
  const all = useReview({ year }).data;
  const flown = (review?.years ?? []).map((one) => one.year);
  const years = [...new Set(year === null ? flown : [...flown, year])].sort((a, b) => a - b);
  const before = year === null ? undefined : years.filter((one) => one < year).at(-1);
  const after = year === null ? undefined : years.find((one) => one > year);
  const step = (to: number | undefined) => to !== undefined && onChange({ year: String(to) });
  const copters = (all?.copters.most ?? []).map(({ dpfId, name }) => ({
    value: `copter ${dpfId}`,
    text: texts.copter(name),
  }));
  const places = (all?.places.most ?? []).map(({ dpfId, name }) => ({
    value: `ort ${dpfId}`,
    text: texts.place(name),
  }));
  const chosen = chosenOf(view, review?.name ?? "");
  const choices = [{ value: "", text: texts.allFlights }, ...copters, ...places];
  return (
    <div className={styles.tools}>
      <div className={styles.years}>
        <IconButton
          icon="chevron-left"
          label={texts.yearBefore}
          isDisabled={before === undefined}
          onPress={() => step(before)}
        />
        <ChoiceField
          label={texts.year}
          value={year === null ? everyYear : String(year)}
          choices={[
            ...years.toReversed().map((one) => ({ value: String(one), text: String(one) })),
            { value: everyYear, text: texts.allYears },
          ]}
          onChange={(value) => onChange({ year: value })}
        />
        <IconButton
          icon="chevron-right"
          label={texts.yearAfter}
          isDisabled={after === undefined}
          onPress={() => step(after)}
        />
      </div>
      <div className={styles.of}>
        <ChoiceField
          label={texts.of}
          value={chosen.value}
          choices={choices.some(({ value }) => value === chosen.value) ? choices : [...choices, chosen]}
          onChange={(value) => {
            const [kind, id = ""] = value.split(" ");
            onChange({ copter: kind === "copter" ? id : "", place: kind === "ort" ? id : "" });
          }}
        />
      </div>
    </div>
  );
}

function chosenOf({ copter, place }: ReviewView, name: string): { value: string; text: string } {
  if (copter !== "") return { value: `copter ${copter}`, text: texts.copter(name) };
  if (place !== "") return { value: `ort ${place}`, text: name === "" ? texts.thisPlace : texts.place(name) };
  return { value: "", text: texts.allFlights };
}
