// The graphs of the model: multibond graph, networks, linear graph.
import "./graph.css";

export { bondView } from "./bond";
export { linearView } from "./linear";
export { networkView } from "./network";
export { bondPower, type BondPower } from "./power";
