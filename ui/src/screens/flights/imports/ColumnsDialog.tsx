// Sets the meaning of each column of a table, shown beside a sample of its values.
import { useState } from "react";
import { isNotLoggedIn } from "../../../api/client";
import type { Import } from "../../../api/generated/Import";
import type { ImportColumn } from "../../../api/generated/ImportColumn";
import { Button } from "../../../components/Button";
import { Dialog, DialogActions, DialogBody } from "../../../components/Dialog";
import { ChoiceField } from "../../../components/listTools";
import { ErrorNote, errorText } from "../../../components/states";
import { useIntent } from "../../../components/useIntent";
import { general } from "../../../texts";
import styles from "./ColumnsDialog.module.css";
import { type ColumnChoice, guessOf, isUsable, type Meaning, mappingOf, meanings, unitsOf } from "./columns";
import { meaningTexts, imports as texts } from "./texts";

export function ColumnsDialog({
  dpfId,
  found,
  file: place,
  onDone,
  onClose,
}: {
  dpfId: string;
  found: Import;
  file: number;
  onDone: () => void;
  onClose: () => void;
}) {
  const file = found.files[place];
  const intent = useIntent("columns", `${dpfId}-${place}`);
  const [guess] = useState(() => (file ? guessOf(file) : null));
  const [table, setTable] = useState(guess);
  const [error, setError] = useState<string | null>(null);
  if (!file || !table) return null;
  const { name, columns, separator } = file;

  function choose(at: number, choice: ColumnChoice) {
    setError(null);
    setTable(
      (now) => now && { ...now, columns: now.columns.map((old, index) => (index === at ? choice : old)) },
    );
  }
  async function read() {
    if (!table || !isUsable(table)) {
      setError(texts.columnsWrong);
      return;
    }
    try {
      const fields = { file: place, mapping: mappingOf(table, separator) };
      await intent.send("MapImportColumns", fields, () => ({ dpfId, ...fields }));
      onDone();
      onClose();
    } catch (failure) {
      if (!isNotLoggedIn(failure)) setError(errorText(failure, texts.unanswered));
    }
  }
  return (
    <Dialog title={texts.columns} isOpen onClose={onClose} isBlocking={table !== guess} isWide>
      <DialogBody>
        <div className="stack">
          <p>
            <strong>{name}</strong>
            <br />
            <span className="quiet">{texts.columnsHint}</span>
          </p>
          <ul className={styles.columns}>
            {(columns ?? []).map((column, at) => (
              <Column
                // biome-ignore lint/suspicious/noArrayIndexKey: the index identifies the column
                key={at}
                column={column}
                name={column.name || texts.columnName(at + 1)}
                choice={table.columns[at] ?? { meaning: "", unit: "" }}
                onChoice={(choice) => choose(at, choice)}
              />
            ))}
          </ul>
          <div className={styles.signs}>
            <ChoiceField
              label={texts.dateOrder}
              value={table.dateOrder}
              choices={choicesOf(texts.dateOrders)}
              onChange={(dateOrder) => setTable({ ...table, dateOrder })}
            />
            <ChoiceField
              label={texts.decimal}
              value={table.decimal}
              choices={choicesOf(texts.decimals)}
              onChange={(decimal) => setTable({ ...table, decimal })}
            />
          </div>
          {error !== null && <ErrorNote>{error}</ErrorNote>}
        </div>
      </DialogBody>
      <DialogActions>
        <Button onPress={onClose}>{general.cancel}</Button>
        <Button variant="primary" onPress={read}>
          {texts.read}
        </Button>
      </DialogActions>
    </Dialog>
  );
}

function choicesOf(texts: Record<string, string>) {
  return Object.entries(texts).map(([value, text]) => ({ value, text }));
}

function Column({
  column,
  name,
  choice: { meaning, unit },
  onChoice,
}: {
  column: ImportColumn;
  name: string;
  choice: ColumnChoice;
  onChoice: (choice: ColumnChoice) => void;
}) {
  const units = unitsOf(meaning, column.unit);
  return (
    <li className={styles.column}>
      <p className={styles.name}>
        <strong>{name}</strong>
        <span className="quiet">{column.examples.filter((cell) => cell !== "").join(" · ")}</span>
      </p>
      <div className={styles.choices}>
        <select
          aria-label={texts.meaningOf(name)}
          value={meaning}
          onChange={(event) => {
            const next = event.currentTarget.value as Meaning;
            onChoice({ meaning: next, unit: unitsOf(next)[0] ?? "" });
          }}
        >
          {meanings.map((word) => (
            <option key={word} value={word}>
              {meaningTexts[word]}
            </option>
          ))}
        </select>
        {units.length > 0 && (
          <select
            aria-label={texts.unitOf(name)}
            value={unit}
            onChange={(event) => onChoice({ meaning, unit: event.currentTarget.value })}
          >
            {units.map((one) => (
              <option key={one} value={one}>
                {one}
              </option>
            ))}
          </select>
        )}
      </div>
    </li>
  );
}
