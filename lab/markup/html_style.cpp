#include "lab/markup/html_parts.hpp"

namespace warpbook::lab {
namespace {

constexpr std::string_view kDark = R"css(
  --s0: #141518; --s1: #1b1c1f; --s2: #222428; --s3: #2b2d32; --s4: #383b42; --line: #303338;
  --t1: #e9eaec; --t2: #b7bbc3; --t3: #9297a1; --t4: #5f646e; --acc: #8ea6ff; --accd: #272e48;
  --ok: #62cb8e; --warn: #e6b450; --warn-tint: #372e1b; --bad: #f47c7c; --bad-tint: #3a2225;
  --c0: #56b4e9; --c1: #e69f00; --c2: #009e73; --c3: #cc79a7; --c4: #f0e442; --c5: #d55e00; --c6: #0072b2;
)css";

constexpr std::string_view kLight = R"css(
  --s0: #ecece8; --s1: #fbfbf9; --s2: #ffffff; --s3: #f1f1ee; --s4: #dfdfda; --line: #e2e2dd;
  --t1: #1d1f23; --t2: #4b4f57; --t3: #656971; --t4: #a2a5ab; --acc: #3852c4; --accd: #e6eafb;
  --ok: #17753f; --warn: #8f5f00; --warn-tint: #f8eed6; --bad: #be322d; --bad-tint: #fae5e3;
  --c0: #0072b2; --c1: #d55e00; --c2: #009e73; --c3: #cc79a7; --c4: #e69f00; --c5: #56b4e9; --c6: #8e949e;
)css";

constexpr std::string_view kRules =
    R"css(body { margin: 0 auto; padding: 24px; max-width: 880px; background: var(--s1); color: var(--t1);
  font: 17px/26px Roboto, "Noto Sans CJK SC", "WenQuanYi Micro Hei", sans-serif; }
h1 { font-size: 32px; line-height: 40px; }
pre, code, .wb-source, .wb-table, .wb-figures dd, svg text { font-family: "JetBrains Mono", monospace; }
.wb-exhibit { margin: 0 0 8px; padding: 12px; border-radius: 6px; background: var(--s2); overflow-x: auto; }
.wb-beside { display: flex; flex-wrap: wrap; gap: 8px; align-items: flex-start; }
.wb-title { font-weight: 700; font-size: 15px; }
.wb-sentence { margin: 4px 0 12px; color: var(--t3); font-size: 14px; line-height: 20px; }
.wb-badge { float: right; padding: 0 8px; border-radius: 10px; font-size: 12px; line-height: 20px; background: var(--s4); }
.wb-measured { background: var(--t2); color: var(--s1); }
.wb-recorded, .wb-reported, .wb-published { background: none; outline: 1px solid var(--t3); }
.wb-estimated { background: none; outline: 1px dashed var(--t3); }
.wb-table { border-collapse: separate; border-spacing: 4px; font-size: 14px; text-align: right; clear: both; }
.wb-table th { color: var(--t3); font-weight: 400; text-align: left; }
.wb-table td { padding: 2px 8px; }
.wb-bar { width: 100%; height: 14px; }
.wb-bar-value { fill: var(--c0); }
.wb-bar-band { fill: var(--t1); fill-opacity: .5; }
.wb-heat { float: right; width: 8px; height: 24px; margin-left: 8px; }
.wb-h0 { background: #482475; } .wb-h1 { background: #414487; } .wb-h2 { background: #355f8d; }
.wb-h3 { background: #2a788e; } .wb-h4 { background: #21918c; } .wb-h5 { background: #22a884; }
.wb-h6 { background: #44bf70; } .wb-h7 { background: #7ad151; } .wb-h8 { background: #bddf26; }
.wb-h9 { background: #fde725; }
.wb-check, .wb-errors { margin: 0; padding: 0; list-style: none; }
.wb-more { color: var(--t3); font-size: 14px; margin: 4px 0 0; }
.wb-contents { display: flex; flex-wrap: wrap; gap: 4px 20px; margin: 0; padding: 0; list-style: none; font-size: 15px; }
.wb-step { margin: 40px 0 0; }
.wb-step-name { font-size: 15px; line-height: 20px; color: var(--t3); border-top: 1px solid var(--line); padding-top: 12px; }
.wb-step p code, .wb-step li code, .wb-step dd code { padding: 1px 4px; border-radius: 3px; background: var(--s3); font-size: .9em; }
a { color: var(--acc); }
.wb-figure { font-weight: 700; }
.wb-predict, .wb-exercise, .wb-aside { margin: 16px 0; padding: 12px 16px; border-radius: 6px; background: var(--s2); border-left: 3px solid var(--acc); }
.wb-aside { border-left-color: var(--t4); }
.wb-aside p { margin: 4px 0; }
.wb-ask { margin: 0; font-weight: 700; }
.wb-choices { padding-left: 32px; list-style: upper-alpha; }
.wb-others { padding-left: 0; list-style: none; color: var(--t2); }
.wb-veil { margin: 8px 0; }
.wb-veil > summary { cursor: pointer; padding: 6px 12px; border-radius: 4px; background: var(--accd); color: var(--acc); }
.wb-veil .wb-exhibit { background: var(--s1); }
.wb-try { padding-left: 16px; border-left: 3px solid var(--s4); }
.wb-command { display: block; margin-top: 4px; font-size: 14px; color: var(--t3); overflow-wrap: anywhere; }
.wb-formula { padding-left: 16px; }
.wb-display { margin: 16px 0; overflow-x: auto; overflow-y: hidden; font-size: 1.1em; }
.wb-term { margin: 12px 0; font-size: 15px; line-height: 24px; color: var(--t2); }
.wb-term dt { font-weight: 700; color: var(--t1); }
.wb-compare { display: grid; grid-template-columns: repeat(auto-fit, minmax(320px, 1fr)); gap: 16px; }
.wb-good { color: var(--ok); } .wb-bad { color: var(--bad); } .wb-warn { color: var(--warn); }
.wb-quiet { color: var(--t3); }
.wb-image svg { max-width: 100%; height: auto; }
.wb-image rect { fill: var(--c, var(--s4)); fill-opacity: .6; }
.wb-image rect.wb-nobody { fill: none; stroke: var(--t4); stroke-dasharray: 3 3; }
.wb-image rect.wb-mistake { fill: var(--bad-tint); fill-opacity: 1; stroke: var(--bad); }
.wb-image rect.wb-wrong { stroke: var(--bad); }
.wb-image text { fill: var(--t1); font-size: 9px; text-anchor: middle; }
.wb-image .wb-h0, .wb-tensor .wb-h0 { --c: #482475; } .wb-image .wb-h1, .wb-tensor .wb-h1 { --c: #414487; }
.wb-image .wb-h2, .wb-tensor .wb-h2 { --c: #355f8d; } .wb-image .wb-h3, .wb-tensor .wb-h3 { --c: #2a788e; }
.wb-image .wb-h4, .wb-tensor .wb-h4 { --c: #21918c; } .wb-image .wb-h5, .wb-tensor .wb-h5 { --c: #22a884; }
.wb-image .wb-h6, .wb-tensor .wb-h6 { --c: #44bf70; } .wb-image .wb-h7, .wb-tensor .wb-h7 { --c: #7ad151; }
.wb-image .wb-h8, .wb-tensor .wb-h8 { --c: #bddf26; } .wb-image .wb-h9, .wb-tensor .wb-h9 { --c: #fde725; }
.wb-tensor svg { max-width: 100%; height: auto; }
.wb-tensor rect:not([fill]) { fill: none; }
.wb-tensor rect[class^="wb-h"] { fill: var(--c); }
.wb-tensor rect.wb-nan { fill: var(--bad-tint); stroke: var(--bad); stroke-width: .5; }
.wb-tensor rect.wb-infinite { fill: var(--warn-tint); stroke: var(--warn); stroke-width: .5; }
.wb-tensor rect.wb-wrong { stroke: var(--bad); stroke-width: 1.5; }
.wb-tensor path { fill: none; stroke: var(--c0); stroke-width: 1.5; }
.wb-tensor text { fill: var(--bad); font-size: 9px; text-anchor: middle; }
.wb-tensor text.wb-name { fill: var(--t3); font-size: 10px; text-anchor: start; }
.wb-scale { display: flex; gap: 8px; align-items: center; margin: 4px 0 0; color: var(--t2); font-size: 13px; }
.wb-ramp, .wb-greys { width: 160px; height: 10px; border-radius: 2px; }
.wb-ramp { background: linear-gradient(90deg, #482475, #414487, #355f8d, #2a788e, #21918c, #22a884, #44bf70, #7ad151, #bddf26, #fde725); }
.wb-greys { background: linear-gradient(90deg, #000, #fff); }
.wb-spaces svg { max-width: 100%; height: auto; }
.wb-spaces text { fill: var(--t1); font-size: 12px; }
.wb-spaces text.wb-strong { font-weight: 700; } .wb-spaces text.wb-quiet { fill: var(--t3); }
.wb-spaces text.wb-end { text-anchor: end; } .wb-spaces text.wb-number { text-anchor: middle; font-weight: 700; }
.wb-spaces text.wb-unused { fill: var(--t4); }
.wb-place { fill: var(--s1); rx: 6px; } .wb-box { fill: var(--s3); rx: 4px; }
.wb-strip { fill: var(--c); } .wb-strip.wb-unused { fill-opacity: .35; }
.wb-pipe { fill: var(--c); } .wb-pipe.wb-model { fill-opacity: .4; stroke: var(--c); stroke-dasharray: 3 2; }
.wb-track { fill: var(--s4); } .wb-wait { fill: var(--t2); }
.wb-leg { fill: none; stroke: var(--acc); stroke-width: 3; stroke-linejoin: round; }
.wb-stop { fill: var(--s1); stroke: var(--acc); stroke-width: 2; }
.wb-sectors svg { max-width: 100%; height: auto; }
.wb-sectors rect { fill: var(--c, var(--s4)); }
.wb-sectors rect.wb-lane { fill-opacity: .5; }
.wb-sectors rect.wb-still { fill: none; stroke: var(--t4); stroke-dasharray: 3 3; }
.wb-sectors rect.wb-empty { fill: none; stroke: var(--line); }
.wb-sectors path { fill: none; stroke: var(--c); stroke-width: 1.5; }
.wb-sectors .wb-jump, .wb-sectors .wb-bracket { fill: none; stroke: var(--t2); } .wb-many { fill: var(--s2); }
.wb-between { stroke: var(--s2); }
.wb-v0 { --c: #482475; } .wb-v1 { --c: #414487; } .wb-v2 { --c: #355f8d; } .wb-v3 { --c: #2a788e; }
.wb-v4 { --c: #21918c; } .wb-v5 { --c: #22a884; } .wb-v6 { --c: #44bf70; } .wb-v7 { --c: #7ad151; }
.wb-v8 { --c: #bddf26; } .wb-v9 { --c: #fde725; }
.wb-sectors text { fill: var(--t1); font-size: 11px; }
.wb-sectors text.wb-number { text-anchor: middle; }
.wb-sectors text.wb-offset { fill: var(--t3); }
.wb-sliding_window svg { max-width: 100%; height: auto; }
.wb-sliding_window rect { fill: var(--c, var(--s3)); fill-opacity: .6; }
.wb-sliding_window rect.wb-plane { fill: var(--s4); }
.wb-sliding_window rect.wb-pad, .wb-sliding_window rect.wb-nobody { fill: none; stroke: var(--t4); stroke-dasharray: 3 3; }
.wb-sliding_window rect.wb-plus { fill: var(--c0); } .wb-sliding_window rect.wb-minus { fill: var(--c1); }
.wb-sliding_window rect.wb-in { stroke: var(--acc); stroke-width: 2; stroke-dasharray: none; }
.wb-sliding_window rect.wb-unread { stroke: var(--bad); stroke-width: 2; stroke-dasharray: 3 3; }
.wb-sliding_window rect.wb-astray, .wb-sliding_window rect.wb-broken { fill: var(--bad-tint); fill-opacity: 1; stroke: var(--bad); }
.wb-sliding_window rect.wb-wrong { stroke: var(--bad); }
.wb-sliding_window text { fill: var(--t1); font-size: 11px; }
.wb-sliding_window text.wb-value { text-anchor: middle; } .wb-sliding_window text.wb-tiny { font-size: 9px; }
.wb-sliding_window text.wb-head { fill: var(--t2); font-size: 13px; }
.wb-sliding_window .wb-h0 { --c: #482475; } .wb-sliding_window .wb-h1 { --c: #414487; } .wb-sliding_window .wb-h2 { --c: #355f8d; }
.wb-sliding_window .wb-h3 { --c: #2a788e; } .wb-sliding_window .wb-h4 { --c: #21918c; } .wb-sliding_window .wb-h5 { --c: #22a884; }
.wb-sliding_window .wb-h6 { --c: #44bf70; } .wb-sliding_window .wb-h7 { --c: #7ad151; } .wb-sliding_window .wb-h8 { --c: #bddf26; }
.wb-sliding_window .wb-h9 { --c: #fde725; }
.wb-curve svg { max-width: 100%; height: auto; }
.wb-curve text { fill: var(--t3); font-size: 12px; }
.wb-curve .wb-x { text-anchor: middle; } .wb-curve .wb-y { text-anchor: end; }
.wb-curve .wb-gap { fill: var(--bad); } .wb-curve line.wb-gap { stroke: var(--bad); }
.wb-curve circle { fill: var(--c, var(--t1)); }
.wb-curve circle.wb-chosen { fill: var(--acc); }
.wb-curve-line { fill: none; stroke: var(--c); stroke-width: 2; }
.wb-dash1 { stroke-dasharray: 8 4; } .wb-dash2 { stroke-dasharray: 2 4; }
.wb-roofline svg { max-width: 100%; height: auto; }
.wb-roofline text { fill: var(--t3); font-size: 12px; }
.wb-roofline .wb-x { text-anchor: middle; } .wb-roofline .wb-y, .wb-roofline .wb-before { text-anchor: end; }
.wb-roofline text.wb-sign { fill: var(--t1); font-size: 14px; font-weight: 700; }
.wb-roofline circle { fill: var(--c); } .wb-roofline circle.wb-ring { fill: none; stroke: var(--c); stroke-width: 1.5; }
.wb-roof { stroke: var(--t2); stroke-width: 2; } .wb-roof.wb-dash1, .wb-roof.wb-dash2 { stroke-width: 1; }
.wb-band { stroke: var(--c); stroke-width: 2; } .wb-band.wb-dash2 { stroke-width: 1; }
.wb-grid { stroke: var(--s4); } .wb-axis { stroke: var(--t3); }
.wb-limit { stroke: var(--c); stroke-width: 1; stroke-dasharray: 1 5; }
.wb-tangent { stroke: var(--acc); stroke-width: 1.5; }
.wb-legend { display: flex; flex-wrap: wrap; gap: 4px 24px; margin: 0; padding: 0; list-style: none; font-size: 14px; clear: both; }
.wb-chosen-row td { background: var(--accd); }
td.wb-wrong { color: var(--bad); background: var(--bad-tint) !important; }
.wb-wires { max-width: 100%; height: auto; }
.wb-wires text { fill: var(--t1); font-size: 13px; text-anchor: middle; }
.wb-wires .wb-block { text-anchor: start; font-weight: 700; fill: var(--c, var(--t2)); }
.wb-wires .wb-name { text-anchor: end; fill: var(--t2); }
.wb-wires .wb-index, .wb-wires text.wb-quiet { fill: var(--t3); }
.wb-wires text.wb-bad { fill: var(--bad); }
.wb-c0 { --c: var(--c0); } .wb-c1 { --c: var(--c1); } .wb-c2 { --c: var(--c2); } .wb-c3 { --c: var(--c3); }
.wb-c4 { --c: var(--c4); } .wb-c5 { --c: var(--c5); } .wb-c6 { --c: var(--c6); }
.wb-cell { fill: var(--c, var(--s3)); fill-opacity: .34; stroke: none; }
.wb-cell.wb-plain, .wb-cell.wb-idle { fill: var(--s4); fill-opacity: 1; }
.wb-cell.wb-wrong { fill: var(--bad-tint); fill-opacity: 1; stroke: var(--bad); }
.wb-cell.wb-unwritten, .wb-cell.wb-outside { fill: none; stroke: var(--t4); stroke-dasharray: 3 3; }
.wb-cell.wb-outside { stroke: var(--bad); }
.wb-wire { stroke: var(--c, var(--t4)); stroke-width: 1.5; }
.wb-wire.wb-bad { stroke: var(--bad); }
.wb-wire.wb-read { stroke-dasharray: 4 4; }
)css";

std::string root(std::string_view scheme, std::string_view colours) {
  return ":root { color-scheme: " + std::string(scheme) + ";" + std::string(colours) + "}\n";
}

}  // namespace

std::string html_style(PageTheme theme) {
  const std::string rules(kRules);
  switch (theme) {
    case PageTheme::dark: return root("dark", kDark) + rules;
    case PageTheme::light: return root("light", kLight) + rules;
    case PageTheme::automatic: break;
  }
  return root("dark light", kDark) + "@media (prefers-color-scheme: light) {\n" +
         root("dark light", kLight) + "}\n" + rules;
}

}  // namespace warpbook::lab
