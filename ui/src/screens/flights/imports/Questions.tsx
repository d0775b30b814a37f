// What the server asks about a table that can be read in several ways: each way with examples from the table.
import { useState } from "react";
import { Radio, RadioGroup } from "react-aria-components";
import { isNotLoggedIn } from "../../../api/client";
import type { ImportExample } from "../../../api/generated/ImportExample";
import type { ImportFile } from "../../../api/generated/ImportFile";
import type { ImportQuestion } from "../../../api/generated/ImportQuestion";
import { Button } from "../../../components/Button";
import { ChoiceField } from "../../../components/listTools";
import { ErrorNote, errorText } from "../../../components/states";
import { useIntent } from "../../../components/useIntent";
import { guessOf, mappingOf, withAnswer } from "./columns";
import styles from "./Questions.module.css";
import { questions as own, imports as texts } from "./texts";

/** More ways than these are a list to choose from. */
const radiosMost = 3;

/** The answers, by the index of the question. */
type Answers = Record<number, string>;

export function Questions({
  dpfId,
  place,
  file,
  onDone,
  onColumns,
}: {
  dpfId: string;
  /** Index of the file. */
  place: number;
  file: ImportFile;
  onDone: () => void;
  onColumns: () => void;
}) {
  const intent = useIntent("columns", `${dpfId}-${place}`);
  const [answers, setAnswers] = useState<Answers>(() => firstAnswers(file.questions));
  const [error, setError] = useState<string | null>(null);

  async function answer() {
    if (file.questions.some((_, at) => answers[at] === undefined)) {
      setError(own.unanswered);
      return;
    }
    const table = file.questions.reduce(
      (now, question, at) => withAnswer(now, question, answers[at] ?? ""),
      guessOf(file),
    );
    try {
      const fields = { file: place, mapping: mappingOf(table, file.separator) };
      await intent.send("MapImportColumns", fields, () => ({ dpfId, ...fields }));
      intent.forget();
      onDone();
    } catch (failure) {
      if (!isNotLoggedIn(failure)) setError(errorText(failure, texts.unanswered));
    }
  }
  return (
    <section className={`card ${styles.questions}`} aria-label={own.title}>
      <h2 className={styles.title}>{own.title}</h2>
      <p className="quiet">
        {file.name}. {own.hint(file.questions.map(({ member }) => member))}
      </p>
      {file.questions.map((question, at) => (
        <Question
          // biome-ignore lint/suspicious/noArrayIndexKey: the index identifies the question
          key={at}
          question={question}
          answer={answers[at]}
          onAnswer={(value) => {
            setError(null);
            setAnswers((now) => ({ ...now, [at]: value }));
          }}
        />
      ))}
      {error !== null && <ErrorNote>{error}</ErrorNote>}
      <div className={styles.buttons}>
        <Button onPress={onColumns}>{texts.columns}</Button>
        <Button variant="primary" onPress={answer}>
          {texts.read}
        </Button>
      </div>
    </section>
  );
}

/** A list begins with its first choice; radio buttons begin with none. */
function firstAnswers(questions: ImportQuestion[]): Answers {
  const lists = questions.flatMap(({ ways }, at) => {
    const [first] = ways;
    return first && ways.length > radiosMost ? [[at, first.value] as const] : [];
  });
  return Object.fromEntries(lists);
}

function Question({
  question: { member, text, ways },
  answer,
  onAnswer,
}: {
  question: ImportQuestion;
  answer: string | undefined;
  onAnswer: (value: string) => void;
}) {
  if (ways.length > radiosMost) {
    const chosen = ways.find(({ value }) => value === answer);
    return (
      <div className={styles.question}>
        <p className={styles.text}>{text}</p>
        <ChoiceField
          label={own.way(member)}
          value={answer ?? ""}
          choices={ways.map(({ value, text }) => ({ value, text }))}
          onChange={onAnswer}
        />
        <Examples examples={chosen?.examples ?? []} />
      </div>
    );
  }
  return (
    <RadioGroup className={styles.question} aria-label={text} value={answer ?? null} onChange={onAnswer}>
      <p className={styles.text}>{text}</p>
      {ways.map(({ value, text, examples }) => (
        <Radio key={value} value={value} className={styles.way}>
          <span className={styles.mark} aria-hidden="true" />
          <span className={styles.meaning}>
            {text}
            <Examples examples={examples} />
          </span>
        </Radio>
      ))}
    </RadioGroup>
  );
}

function Examples({ examples }: { examples: ImportExample[] }) {
  return (
    <span className={styles.examples}>
      {examples.map(({ cell, read }) => (
        <span key={cell}>{own.read(cell, read)}</span>
      ))}
    </span>
  );
}
