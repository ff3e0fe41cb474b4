import { useRefusal, useWho } from '../../../api/rights.ts';
import { ResourcePage } from '../../../parts/panel/ResourcePage.tsx';
import { SwitchedOff } from '../../../parts/SwitchedOff.tsx';
import { Empty, Loading } from '../../../parts/table/States.tsx';
import { RUNS } from './resource.tsx';

export default function Runs() {
  const { isPending } = useWho();
  const why = useRefusal()('listRuns');
  if (isPending) return <Loading what="your capabilities" />;
  if (why) return <Empty title="Runs of agents">{`${why} to run agents.`}</Empty>;
  return (
    <>
      <SwitchedOff operations={['startRun']} />
      <ResourcePage resource={RUNS} />
    </>
  );
}
