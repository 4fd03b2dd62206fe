import { SIGNS, type SignName } from "./icons";

/** A sign on a button. */
export function Sign({ name }: { name: SignName }) {
  return (
    <svg viewBox="0 0 16 16" class="sign" aria-hidden="true">
      <path d={SIGNS[name]} />
    </svg>
  );
}
