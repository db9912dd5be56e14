/** The screen as a device: it stays on, and may make a sound. */

/** @type {AudioContext | null} */
let audio = null;

/** Keeps the screen on while the page is shown, if the browser can. */
export function stayAwake() {
  const request = () => {
    /** @type {any} */
    const browser = navigator;
    if (!document.hidden) browser.wakeLock?.request("screen").catch(() => {});
  };
  document.addEventListener("visibilitychange", request);
  request();
}

/** Whether the browser lets the page make a sound; it may do so only after a tap. */
export function isAudible() { return audio?.state === "running"; }

/** Asks the browser for sound, after a tap. */
export async function allowSound() {
  audio ??= new AudioContext();
  await Promise.race([audio.resume(), new Promise((done) => setTimeout(done, 500))]).catch(() => {});
}

/** Three calm tones. */
export function chime() {
  if (!audio || !isAudible()) return;
  [660, 880, 660].forEach((pitch, index) => {
    const start = /** @type {AudioContext} */ (audio).currentTime + index * 0.35;
    const [tone, volume] = [
      new OscillatorNode(/** @type {AudioContext} */ (audio), {frequency: pitch}),
      new GainNode(/** @type {AudioContext} */ (audio), {gain: 0})
    ];
    volume.gain.setValueAtTime(0, start);
    volume.gain.linearRampToValueAtTime(0.4, start + 0.03);
    volume.gain.exponentialRampToValueAtTime(0.001, start + 0.3);
    tone.connect(volume).connect(/** @type {AudioContext} */ (audio).destination);
    tone.start(start);
    tone.stop(start + 0.32);
  });
}
