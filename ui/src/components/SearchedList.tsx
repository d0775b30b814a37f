// A list with search and sorting, kept in the URL, once it is long.
import type { ReactNode } from "react";
import { useSearchParams } from "react-router";
import { matchesWords } from "../lib/search";
import { Button } from "./Button";
import { ChoiceField, ListTools, SearchField } from "./listTools";
import { EmptyState } from "./states";
import { listTools } from "./texts/listTools";

/** Fewest rows with a search field. */
const fewestToSearch = 8;

const searchParameter = "suche";
const sortParameter = "sortierung";

/** An alternative order; `name` is its value in the URL. */
export type Order<Row> = { name: string; text: string; compare: (one: Row, other: Row) => number };

type Searched<Row> = {
  rows: Row[];
  /** The texts of a row that the search matches. */
  wordsOf: (row: Row) => string[];
  /** The label of the list's own order. */
  ownOrder?: string;
  /** Without alternative orders there is no choice of order. */
  orders?: Order<Row>[];
};

export function SearchedList<Row>({
  children,
  ...list
}: Searched<Row> & { children: (rows: Row[]) => ReactNode }) {
  const { tools, view } = useSearchedList(list);
  return (
    <>
      {tools && <ListTools isBare>{tools}</ListTools>}
      {view(children)}
    </>
  );
}

/** The search and sort fields, and the filtered rows; a short list has no fields. */
export function useSearchedList<Row>({ rows, wordsOf, ownOrder = "", orders = [] }: Searched<Row>) {
  const [parameters, setParameters] = useSearchParams();
  const search = (parameters.get(searchParameter) ?? "").trim();
  const order = orders.find(({ name }) => name === parameters.get(sortParameter));
  const isAsked = search !== "" || order !== undefined;
  const hasTools = rows.length >= fewestToSearch || isAsked;

  // Replaces the history entry: Back leads to the previous screen, not through earlier searches.
  function update(changed: Record<string, string>) {
    // Read from the address itself: the last change may not be rendered yet.
    const now = new URLSearchParams(window.location.search);
    for (const [name, value] of Object.entries(changed)) {
      if (value === "") now.delete(name);
      else now.set(name, value);
    }
    setParameters(now, { replace: true, preventScrollReset: true });
  }
  function view(children: (rows: Row[]) => ReactNode): ReactNode {
    if (!hasTools) return children(rows);
    const found = rows.filter((row) => matchesWords(search, wordsOf(row)));
    if (order) found.sort(order.compare);
    return (
      <>
        <p className="visually-hidden" role="status">
          {search !== "" && listTools.found(found.length, rows.length)}
        </p>
        {found.length > 0 ? (
          children(found)
        ) : (
          <EmptyState
            icon="search"
            action={<Button onPress={() => update({ [searchParameter]: "" })}>{listTools.reset}</Button>}
          >
            {listTools.none}
          </EmptyState>
        )}
      </>
    );
  }
  const choices = [{ value: "", text: ownOrder }, ...orders.map(({ name, text }) => ({ value: name, text }))];
  return {
    view,
    isOwnOrder: order === undefined,
    tools: hasTools && (
      <>
        <SearchField
          label={listTools.search}
          value={search}
          onChange={(text) => update({ [searchParameter]: text })}
        />
        {orders.length > 0 && (
          <ChoiceField
            label={listTools.sort}
            icon="sort"
            value={order?.name ?? ""}
            choices={choices}
            onChange={(name) => update({ [sortParameter]: name })}
          />
        )}
      </>
    ),
  };
}
