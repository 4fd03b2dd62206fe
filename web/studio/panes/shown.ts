// Keys as the machine of the user calls them.
import { shown } from "../keys";

const IS_MAC = /Mac|iPhone|iPad/.test(navigator.platform);

export const keysShown = (keys: string): string => shown(keys, IS_MAC);
