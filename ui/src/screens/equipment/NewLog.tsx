// The button that adds a log to an item, and its dialog.
import { useState } from "react";
import type { Equipment } from "../../api/generated/Equipment";
import { Button } from "../../components/Button";
import { NewLogDialog } from "../../components/logs/LogDialog";
import { logs } from "../../components/texts/logs";

export function NewLog({ item }: { item: Equipment }) {
  const [isWriting, setWriting] = useState(false);
  return (
    <>
      <Button icon="log-add" onPress={() => setWriting(true)}>
        {logs.create}
        <span className="visually-hidden"> {item.name}</span>
      </Button>
      <NewLogDialog
        subject={{ kind: "equipment", dpfId: item.dpfId }}
        about={item.model || item.name}
        isOpen={isWriting}
        onClose={() => setWriting(false)}
      />
    </>
  );
}
