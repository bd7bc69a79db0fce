/** Flow control: who uses the event loop, who waits, since when. */

import type { FlowFacts } from '@listwatch/api/console';
import type { JSX } from 'preact';
import { ageText } from '../logic/age-text.ts';

interface FlowTablesProps {
  readonly flow: FlowFacts;
}

/** Levels that do something, and the flows that use the event loop most. */
export function FlowTables({ flow }: FlowTablesProps): JSX.Element {
  const levels = flow.levels.filter(
    ({ seatsInUse, waiting, rejected, loopShare }) => seatsInUse + waiting + rejected + loopShare > 0,
  );
  return (
    <div class="scroll-x">
      <table class="plain numbers">
        <caption>Priority levels in use</caption>
        <thead>
          <Row cells={['Level', 'Event loop', 'Seats in use', 'Seats', 'Waiting', 'Refused']} />
        </thead>
        <tbody>
          {levels.map(({ name, loopShare, seatsInUse, seats, waiting, rejected }) => (
            <tr key={name}>
              <th scope="row">{name}</th>
              <td>{percent(loopShare)}</td>
              <td>{seatsInUse}</td>
              <td>{seats ?? 'no limit'}</td>
              <td class={waiting > 0 ? 'word-bad' : ''}>{waiting}</td>
              <td class={rejected > 0 ? 'word-bad' : ''}>{rejected}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <table class="plain numbers">
        <caption>Who uses the event loop</caption>
        <thead>
          <Row cells={['User or namespace', 'FlowSchema', 'Event loop', 'Running', 'Seats', 'Waiting', 'Since']} />
        </thead>
        <tbody>
          {flow.flows.map(
            ({ level, schema, distinguisher, loopShare, executing, seatsInUse, waiting, waitingSeconds }) => (
              <tr key={`${level}/${schema}/${distinguisher}`}>
                <th scope="row">{distinguisher === '' ? 'all' : distinguisher}</th>
                <td>{schema}</td>
                <td>{percent(loopShare)}</td>
                <td>{executing}</td>
                <td>{seatsInUse ?? '–'}</td>
                <td class={waiting > 0 ? 'word-bad' : ''}>{waiting}</td>
                <td>{waitingSeconds === null ? '–' : ageText(waitingSeconds * 1000)}</td>
              </tr>
            ),
          )}
        </tbody>
      </table>
    </div>
  );
}

function Row({ cells }: { readonly cells: readonly string[] }): JSX.Element {
  return (
    <tr>
      {cells.map((name) => (
        <th key={name} scope="col">
          {name}
        </th>
      ))}
    </tr>
  );
}

function percent(share: number): string {
  return `${(share * 100).toFixed(share < 0.1 ? 1 : 0)} %`;
}
