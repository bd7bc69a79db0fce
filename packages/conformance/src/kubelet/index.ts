/** A peer that speaks a kubelet's protocol of streams. Start at `startStreamPeer`. */

export { exitStatus, finish, forwardConnection, messageBytes, runCommand } from './run-commands.ts';
export {
  type PeerConnection,
  type PeerRefusal,
  type StreamPeer,
  type StreamPeerOptions,
  startStreamPeer,
} from './stream-peer.ts';
