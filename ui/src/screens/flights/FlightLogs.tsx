// The logs of one flight, on its page.
import { useFlightLogs } from "../../api/logs";
import { LogList } from "../../components/logs/LogList";
import { QueryView, Skeleton } from "../../components/states";
import { logs as texts } from "../../components/texts/logs";

export function FlightLogs({ dpfId }: { dpfId: string }) {
  const query = useFlightLogs(dpfId);
  return (
    <QueryView query={query} failure={texts.failed} skeleton={<Skeleton count={1} height={3} />}>
      {({ name, logs }) => <LogList logs={logs} about={name} isBeside />}
    </QueryView>
  );
}
