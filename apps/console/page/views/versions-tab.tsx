/** All kept versions of an object, who made them, and the difference of any two. */

import type { ApiObject } from '@listwatch/api';
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { ObjectAddress } from '../logic/address.ts';
import { ageText, timeText } from '../logic/age-text.ts';
import { hasSecretValues, withoutSecretValues } from '../logic/hidden-secrets.ts';
import { timeOf } from '../logic/time-line.ts';
import type { ObjectVersion } from '../logic/version-list.ts';
import { DiffView } from '../parts/diff-view.tsx';
import { now } from '../state/clock.ts';
import { hasServerHistory, historyLine } from '../state/history-line.ts';
import type { ShownVersions } from '../state/object-versions.ts';
import { replace } from '../state/route.ts';

interface VersionsProps {
  readonly address: ObjectAddress;
  readonly versions: ShownVersions;
}

export function VersionsTab({
  address,
  versions: { versions, problem, older, loadOlder },
}: VersionsProps): JSX.Element {
  const [isShown, setShown] = useState(false);
  const at = address.at === '' ? Infinity : Number(address.at);
  const to = versions.findLastIndex(({ resourceVersion }) => Number(resourceVersion) <= at);
  const chosen = versions.findIndex(({ resourceVersion }) => resourceVersion === address.from);
  const from = chosen >= 0 ? chosen : to - 1;
  const [before, after] = [versions[from], versions[to]];
  const isSecret = hasSecretValues((after ?? before)?.object);
  const valueOf = (version: ObjectVersion | undefined): unknown => {
    if (version === undefined || version.type === 'deleted') return undefined;
    return comparable(isShown ? version.object : withoutSecretValues(version.object));
  };
  return (
    <div class="versions">
      <div class="scroll version-list" role="region" aria-label="Versions" tabIndex={0}>
        <p class="muted">
          {versions.length === 1 ? '1 version' : `${versions.length} versions`}{' '}
          {hasServerHistory.value ? (older === 'none' ? 'kept' : 'of more') : 'since this page was opened'}
        </p>
        {problem !== '' && (
          <p class="banner" role="alert">
            {problem}
          </p>
        )}
        <table class="plain">
          <thead>
            <tr>
              <th scope="col">From</th>
              <th scope="col">To</th>
              <th scope="col">Version</th>
              <th scope="col">When</th>
              <th scope="col">Who</th>
            </tr>
          </thead>
          <tbody>
            {versions
              .map((version, index) => (
                <VersionLine
                  key={`${version.resourceVersion} ${version.type}`}
                  version={version}
                  isFrom={index === from}
                  isTo={index === to}
                  isFirstKept={index === 0 && older === 'none'}
                  onFrom={() => replace({ ...address, from: version.resourceVersion })}
                  onTo={() => replace({ ...address, at: index === versions.length - 1 ? '' : version.resourceVersion })}
                />
              ))
              .toReversed()}
          </tbody>
        </table>
        {(older === 'more' || older === 'loading') && (
          <button type="button" class="older" disabled={older === 'loading'} onClick={loadOlder}>
            {older === 'loading' ? 'Loading older versions …' : 'Show older versions'}
          </button>
        )}
        {older === 'full' && <p class="muted older">The page holds no more. Move the slider to see older versions.</p>}
      </div>
      <div class="version-diff">
        {isSecret && (
          <p class="secret-note">
            Values are {isShown ? 'shown' : 'hidden'}.{' '}
            <button type="button" aria-pressed={isShown} onClick={() => setShown(!isShown)}>
              {isShown ? 'Hide values' : 'Show values'}
            </button>
          </p>
        )}
        {after !== undefined && (
          <DiffView
            before={valueOf(before)}
            after={valueOf(after)}
            label={`Difference from ${before?.resourceVersion ?? 'nothing'} to ${after.resourceVersion}`}
          />
        )}
      </div>
    </div>
  );
}

interface LineProps {
  readonly version: ObjectVersion;
  readonly isFrom: boolean;
  readonly isTo: boolean;
  readonly isFirstKept: boolean;
  readonly onFrom: () => void;
  readonly onTo: () => void;
}

function VersionLine({ version, isFrom, isTo, isFirstKept, onFrom, onTo }: LineProps): JSX.Element {
  const { resourceVersion, type, managers, object } = version;
  const time = madeAt(version);
  const { name } = object.metadata;
  const text = type === 'oldest' ? (isFirstKept ? 'oldest kept' : '') : TYPE_TEXT[type];
  return (
    <tr class={isTo ? 'row-selected' : ''}>
      <td>
        <input
          type="radio"
          name={`from-${name}`}
          aria-label={`Compare from ${resourceVersion}`}
          checked={isFrom}
          onChange={onFrom}
        />
      </td>
      <td>
        <input
          type="radio"
          name={`to-${name}`}
          aria-label={`Compare to ${resourceVersion}`}
          checked={isTo}
          onChange={onTo}
        />
      </td>
      <td>{resourceVersion}</td>
      <td title={time === undefined ? '' : timeText(time)}>{time === undefined ? '' : ageText(now.value - time)}</td>
      <td class="wrap">
        {managers.join(', ')} {text !== '' && <span class="chip">{text}</span>}
      </td>
    </tr>
  );
}

const TYPE_TEXT = { added: 'created', deleted: 'deleted', modified: '' };

/** By the history, or by the newest entry of the field managers. */
function madeAt({ resourceVersion, object }: ObjectVersion): number | undefined {
  const line = historyLine.value;
  const known = line && timeOf(line, Number(resourceVersion));
  if (known !== undefined) return known;
  const times = (object.metadata.managedFields ?? []).map(({ time }) => Date.parse(time ?? ''));
  const newest = Math.max(...times.filter(Number.isFinite));
  return Number.isFinite(newest) ? newest : undefined;
}

/** Field managers and the version change with every write; both are shown elsewhere. */
function comparable(object: ApiObject): unknown {
  const { managedFields: _, resourceVersion: __, ...metadata } = object.metadata;
  return { ...object, metadata };
}
