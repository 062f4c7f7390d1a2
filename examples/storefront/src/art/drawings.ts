/**
 * Drawings of the shop's products, 200 × 200. The classes are shades of the picture's tone: m the product itself, s its
 * shadowed parts, l its light ones, k a line.
 */
export const drawings: Readonly<Record<string, string>> = {
  'side table':
    '<path class="s" d="M66 88h9l-9 82h-9zM125 88h9l9 82h-9zM96 88h8v74h-8z"/><rect class="m" x="46" y="74" width="108" height="16" rx="8"/><ellipse class="l" cx="112" cy="68" rx="18" ry="6"/><path class="l" d="M99 50h26l-3 18h-20z"/>',
  'dining table':
    '<path class="s" d="M42 92h12l-8 76h-9zM146 92h12l5 76h-9z"/><rect class="m" x="22" y="78" width="156" height="16" rx="6"/><path class="l" d="M84 78c0-14 32-14 32 0z"/><circle class="s" cx="100" cy="64" r="6"/>',
  desk: '<path class="s" d="M40 90h10l-4 80h-9zM150 90h10l4 80h-9z"/><rect class="m" x="28" y="76" width="144" height="14" rx="4"/><rect class="s" x="104" y="90" width="48" height="24" rx="3"/><path class="k" d="M122 102h12"/><rect class="l" x="52" y="44" width="44" height="30" rx="3"/>',
  table:
    '<path class="s" d="M50 90h10l-8 78h-9zM140 90h10l7 78h-9z"/><rect class="m" x="34" y="76" width="132" height="16" rx="8"/>',
  armchair:
    '<path class="s" d="M62 140l-8 34h8l10-34zM138 140l8 34h-8l-10-34z"/><path class="m" d="M58 92c0-36 16-56 42-56s42 20 42 56v20H58z"/><path class="k" d="M78 52v58M100 40v70M122 52v58"/><rect class="l" x="52" y="108" width="96" height="22" rx="11"/><path class="s" d="M44 92c10 0 14 8 14 16v30H44c-8 0-8-46 0-46zM156 92c-10 0-14 8-14 16v30h14c8 0 8-46 0-46z"/><rect class="m" x="52" y="126" width="96" height="18" rx="6"/>',
  chair:
    '<path class="s" d="M66 118h9l-5 56h-8zM125 118h9l4 56h-8z"/><path class="m" d="M64 34h72a6 6 0 0 1 6 6l-6 34H64l-6-34a6 6 0 0 1 6-6z"/><path class="s" d="M70 74h7l-2 34h-7zM123 74h7l2 34h-7z"/><rect class="l" x="54" y="104" width="92" height="16" rx="8"/>',
  stool:
    '<path class="s" d="M72 84h10l-14 88h-9zM118 84h10l13 88h-9z"/><path class="k" d="M70 138h60"/><rect class="m" x="52" y="68" width="96" height="18" rx="9"/>',
  shelf:
    '<path class="s" d="M44 30h8v142h-8zM148 30h8v142h-8z"/><path class="m" d="M40 64h120v10H40zM40 112h120v10H40zM40 158h120v10H40z"/><path class="l" d="M64 40h10v24H64zM77 34h9v30h-9zM89 42h10v22H89z"/><circle class="s" cx="128" cy="100" r="12"/><path class="l" d="M66 134h26v24H66z"/>',
  mirror:
    '<rect class="m" x="52" y="26" width="96" height="148" rx="48"/><rect class="l" x="61" y="35" width="78" height="130" rx="39"/><path class="k" d="M78 96l34-42M84 118l42-52"/>',
  cushion:
    '<path class="m" d="M44 52c34 10 78 10 112 0 6-2 9 3 7 8-9 28-9 52 0 80 2 5-1 10-7 8-34-10-78-10-112 0-6 2-9-3-7-8 9-28 9-52 0-80-2-5 1-10 7-8z"/><path class="k" d="M62 76c26 6 50 6 76 0M62 124c26-6 50-6 76 0"/><circle class="s" cx="100" cy="100" r="5"/>',
  blanket:
    '<rect class="s" x="36" y="120" width="128" height="38" rx="10"/><rect class="m" x="36" y="84" width="128" height="38" rx="10"/><rect class="l" x="36" y="48" width="128" height="38" rx="10"/><path class="k" d="M48 158v12M62 158v12M76 158v12M90 158v12M104 158v12M118 158v12M132 158v12M146 158v12"/>',
  'pendant lamp':
    '<path class="k" d="M100 0v62"/><path class="m" d="M100 58c34 0 56 24 58 56H42c2-32 24-56 58-56z"/><rect class="s" x="90" y="50" width="20" height="16" rx="4"/><path class="l" d="M76 114a24 20 0 0 0 48 0z"/>',
  'table lamp':
    '<path class="s" d="M96 96h8v56h-8z"/><path class="l" d="M74 36h52l22 62H52z"/><rect class="m" x="64" y="150" width="72" height="14" rx="7"/><path class="k" d="M122 98v20"/>',
  lamp: '<path class="s" d="M96 96h8v56h-8z"/><path class="l" d="M74 36h52l22 62H52z"/><rect class="m" x="64" y="150" width="72" height="14" rx="7"/>',
  lantern:
    '<path class="k" d="M100 0v36"/><ellipse class="m" cx="100" cy="98" rx="62" ry="60"/><path class="k" d="M52 62c30 10 66 10 96 0M40 86c38 10 82 10 120 0M40 112c38 10 82 10 120 0M54 138c28 8 64 8 92 0"/><rect class="s" x="84" y="32" width="32" height="9" rx="3"/><rect class="s" x="84" y="155" width="32" height="8" rx="3"/>',
  vase: '<path class="k" d="M100 62C96 40 84 26 68 18M104 62c2-20 12-36 30-44M100 62V14"/><path class="l" d="M68 18c-12-4-16 4-14 12 8 2 14-4 14-12zM134 18c12-2 14 8 10 14-8 0-12-6-10-14z"/><path class="m" d="M84 60h32c0 18 24 32 24 68 0 26-16 44-40 44s-40-18-40-44c0-36 24-50 24-68z"/><rect class="s" x="80" y="54" width="40" height="10" rx="5"/>',
  mug: '<path class="s" fill-rule="evenodd" d="M128 74h16a28 28 0 0 1 0 56h-20v-13h20a15 15 0 0 0 0-30h-16z"/><path class="m" d="M50 54h86v76a28 28 0 0 1-28 28H78a28 28 0 0 1-28-28z"/><path class="l" d="M50 54h86v14H50z"/><circle class="s" cx="74" cy="96" r="3"/><circle class="s" cx="96" cy="116" r="3"/><circle class="s" cx="112" cy="90" r="3"/><circle class="s" cx="80" cy="132" r="3"/>',
  bowl: '<path class="m" d="M30 88h140c0 44-28 70-70 70s-70-26-70-70z"/><path class="l" d="M30 88h140c0 8-1 14-3 20H33c-2-6-3-12-3-20z"/><rect class="s" x="76" y="154" width="48" height="12" rx="5"/><circle class="s" cx="80" cy="126" r="3"/><circle class="s" cx="106" cy="138" r="3"/><circle class="s" cx="126" cy="120" r="3"/>',
  'cutting board':
    '<path class="m" d="M58 62a24 24 0 0 1 24-24h10l2-18h12l2 18h10a24 24 0 0 1 24 24v88a24 24 0 0 1-24 24H82a24 24 0 0 1-24-24z"/><circle class="l" cx="100" cy="52" r="6"/><path class="k" d="M76 84c10 14-6 44 6 70M100 80c8 24-8 52 2 84M122 86c-8 20 8 40-2 66"/>',
  fabric:
    '<path class="s" d="M40 70l60-30 60 30-60 30z"/><path class="m" d="M40 70l60 30v66l-60-30z"/><path class="l" d="M160 70l-60 30v66l60-30z"/><path class="k" d="M40 92l60 30 60-30M40 114l60 30 60-30"/>',
  'gift card':
    '<rect class="m" x="30" y="58" width="140" height="88" rx="12"/><path class="l" d="M92 58h16v88H92z"/><path class="s" d="M100 58c-10-30-44-26-34-6 4 8 20 6 34 6zM100 58c10-30 44-26 34-6-4 8-20 6-34 6z"/>',
  'watering can':
    '<path class="s" fill-rule="evenodd" d="M124 78c40-30 62 14 32 52l-12-4c22-28 6-54-20-34z"/><path class="m" d="M66 84h64l8 78H58z"/><path class="s" d="M66 128L34 66l-9 4-5-12 26-12 5 12-7 4 28 46z"/><path class="l" d="M72 74h52v10H72z"/>',
  planter:
    '<path class="k" d="M70 104c-4-26-14-40-30-50M100 104V40M130 104c4-26 14-40 30-50"/><path class="l" d="M40 54c-10 12 4 24 14 20 2-10-4-20-14-20zM160 54c10 12-4 24-14 20-2-10 4-20 14-20zM100 40c-14 10-10 28 0 32 10-4 14-22 0-32z"/><path class="m" d="M34 104h132l-10 58H44z"/><rect class="s" x="28" y="96" width="144" height="16" rx="5"/>',
  number:
    '<circle class="m" cx="70" cy="100" r="38"/><circle class="s" cx="130" cy="100" r="38"/><path class="l" d="M100 77a38 38 0 0 1 0 46 38 38 0 0 1 0-46z"/>',
}

/** For products without a drawing. */
export const ANYTHING =
  '<rect class="s" x="46" y="96" width="108" height="72" rx="8"/><path class="m" d="M38 78h124v22H38z"/><path class="l" d="M92 78h16v90H92z"/><circle class="m" cx="84" cy="62" r="15"/><circle class="s" cx="116" cy="62" r="15"/>'
