// Equations as the server writes them (pliant.studio.views.equations).

export interface RowData {
  /** What the row is the equation of. */
  label: string;
  owner: string;
  mathml: string;
  latex: string;
}

export interface SymbolData {
  owner: string;
  text: string;
  sentence: string;
  latex: string;
}

export interface EquationsData {
  heading: string[];
  formulation: string;
  tree: string;
  form: string;
  /** Why they are not printed; or "". */
  tooLong: string;
  sections: { title: string; rows: RowData[] }[];
  /** By `data-name` of <mi>. */
  symbols: Record<string, SymbolData>;
  choices: {
    formulations: { name: string; objection: string }[];
    forms: string[];
    trees: string[];
  };
}

/** What is asked for; "" leaves it to the model. */
export interface EquationsChoice {
  formulation: string;
  form: string;
  tree: string;
  truncate: string;
}
