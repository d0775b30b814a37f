// A list that is searched and sorted as soon as it is long; what is asked for stands in the address. A short list has none
// of it. Knows nothing of what is in the list.
import type { ReactNode } from "react";
import { useSearchParams } from "react-router";
import { matchesWords } from "../lib/search";
import { listTools } from "../texts";
import { Button } from "./Button";
import { ChoiceField, ListTools, SearchField } from "./listTools";
import { EmptyState } from "./states";

/** With fewer one sees at a glance what is there. */
const fewestToSearch = 8;

const searchParameter = "suche";
const sortParameter = "sortierung";

/** An order beside the list's own; `name` is what the address calls it. */
export type Order<Row> = { name: string; text: string; compare: (one: Row, other: Row) => number };

export function SearchedList<Row>({
  rows,
  wordsOf,
  ownOrder,
  orders,
  children,
}: {
  rows: Row[];
  /** Everything that a row may be looked for by. */
  wordsOf: (row: Row) => string[];
  /** What the list's own order is called. */
  ownOrder: string;
  orders: Order<Row>[];
  children: (rows: Row[]) => ReactNode;
}) {
  const [parameters, setParameters] = useSearchParams();
  const search = (parameters.get(searchParameter) ?? "").trim();
  const order = orders.find(({ name }) => name === parameters.get(sortParameter));
  const isAsked = search !== "" || order !== undefined;
  if (rows.length < fewestToSearch && !isAsked) return children(rows);

  // Replaces the address: the way back leads to where one came from, not through what one looked for.
  function ask(asked: Record<string, string>) {
    // The address itself: what was asked for a moment ago may not be drawn yet.
    const now = new URLSearchParams(window.location.search);
    for (const [name, value] of Object.entries(asked)) {
      if (value === "") now.delete(name);
      else now.set(name, value);
    }
    setParameters(now, { replace: true, preventScrollReset: true });
  }
  const found = rows.filter((row) => matchesWords(search, wordsOf(row)));
  if (order) found.sort(order.compare);
  return (
    <>
      <ListTools isBare>
        <SearchField
          label={listTools.search}
          value={search}
          onChange={(text) => ask({ [searchParameter]: text })}
        />
        <ChoiceField
          label={listTools.sort}
          isWide
          value={order?.name ?? ""}
          choices={[
            { value: "", text: ownOrder },
            ...orders.map(({ name, text }) => ({ value: name, text })),
          ]}
          onChange={(name) => ask({ [sortParameter]: name })}
        />
      </ListTools>
      <p className="visually-hidden" role="status">
        {search !== "" && listTools.found(found.length, rows.length)}
      </p>
      {found.length > 0 ? (
        children(found)
      ) : (
        <EmptyState
          icon="search"
          action={<Button onPress={() => ask({ [searchParameter]: "" })}>{listTools.reset}</Button>}
        >
          {listTools.none}
        </EmptyState>
      )}
    </>
  );
}
