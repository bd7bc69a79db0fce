/** Which requests are watches, also of groups that nobody here knows. */

const WATCH_OPTION = /[?&]watch=(?:1|t|true)(?:&|$)/iu;
/** The old form: `/api/v1/watch/pods`. */
const WATCH_PATH = /^\/(?:api|apis\/[^/?]+)\/[^/?]+\/watch\//u;

/** Does the target of a GET ask for a watch? */
export function isWatchTarget(target: string): boolean {
  return WATCH_OPTION.test(target) || WATCH_PATH.test(target);
}
