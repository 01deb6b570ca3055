#include <string>

#include <fmt/format.h>

#include "lab/markup/html_parts.hpp"
#include "lab/markup/palette.hpp"

namespace warpbook::lab {
namespace {

constexpr std::string_view kRules =
    R"css(body { margin: 0 auto; padding: 24px; max-width: 880px; background: var(--s1); color: var(--t1);
  font: 17px/26px Roboto, "Noto Sans CJK SC", "WenQuanYi Micro Hei", sans-serif; }
h1 { font-size: 32px; line-height: 40px; }
pre, code, .wb-source, .wb-table, .wb-figures dd, svg text { font-family: "JetBrains Mono", monospace; }
.wb-picture { max-width: 100%; height: auto; clear: both; }
svg .wb-sans { font-family: Roboto, "Noto Sans CJK SC", "WenQuanYi Micro Hei", sans-serif; }
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
.wb-check, .wb-errors { margin: 0; padding: 0; list-style: none; }
.wb-more { color: var(--t3); font-size: 14px; margin: 4px 0 0; }
.wb-contents { display: flex; flex-wrap: wrap; gap: 4px 20px; margin: 0; padding: 0; list-style: none; font-size: 15px; }
.wb-step { margin: 40px 0 0; }
.wb-step-name { font-size: 15px; line-height: 20px; color: var(--t3); border-top: 1px solid var(--line); padding-top: 12px; }
.wb-step p code, .wb-step li code, .wb-step dd code { padding: 1px 4px; border-radius: 3px; background: var(--s3); font-size: .9em; }
a { color: var(--accent); }
.wb-figure { font-weight: 700; }
.wb-predict, .wb-exercise, .wb-aside { margin: 16px 0; padding: 12px 16px; border-radius: 6px; background: var(--s2); border-left: 3px solid var(--accent); }
.wb-aside { border-left-color: var(--t4); }
.wb-aside p { margin: 4px 0; }
.wb-ask { margin: 0; font-weight: 700; }
.wb-choices { padding-left: 32px; list-style: upper-alpha; }
.wb-others { padding-left: 0; list-style: none; color: var(--t2); }
.wb-veil { margin: 8px 0; }
.wb-veil > summary { cursor: pointer; padding: 6px 12px; border-radius: 4px; background: var(--accent-tint); color: var(--accent); }
.wb-veil .wb-exhibit { background: var(--s1); }
.wb-try { padding-left: 16px; border-left: 3px solid var(--s4); }
.wb-command { display: block; margin-top: 4px; font-size: 14px; color: var(--t3); overflow-wrap: anywhere; }
.wb-formula { padding-left: 16px; }
.wb-program { margin: 16px 0; line-height: 22px; }
.wb-call { color: var(--accent); }
.wb-display { margin: 16px 0; overflow-x: auto; overflow-y: hidden; font-size: 1.1em; }
.wb-term { margin: 12px 0; font-size: 15px; line-height: 24px; color: var(--t2); }
.wb-term dt { font-weight: 700; color: var(--t1); }
.wb-compare { display: grid; grid-template-columns: repeat(auto-fit, minmax(320px, 1fr)); gap: 16px; }
.wb-good { color: var(--ok); } .wb-bad { color: var(--bad); } .wb-warn { color: var(--warn); }
.wb-quiet { color: var(--t3); }
.wb-legend { display: flex; flex-wrap: wrap; gap: 4px 24px; margin: 0; padding: 0; list-style: none; font-size: 14px; clear: both; }
.wb-chosen-row td { background: var(--accent-tint); }
td.wb-wrong { color: var(--bad); background: var(--bad-tint) !important; }
)css";

/// Surfaces of the contrast theme are all black, so that their edges have to be drawn.
constexpr std::string_view kContrastRules = R"css(@media (prefers-contrast: more) {
.wb-exhibit, .wb-predict, .wb-exercise, .wb-aside { outline: 1px solid var(--t1); }
}
)css";

/// Of a heat strip: steps of the sequence, the first of them bright enough to be told from the ground.
constexpr int kHeatSteps = 10;

std::string heat_rules() {
  std::string rules;
  for (int step = 0; step < kHeatSteps; ++step) {
    rules += fmt::format(".wb-h{} {{ background: #{:06x}; }}\n", step,
                         sequence_colour((step + 1.0) / kHeatSteps));
  }
  return rules;
}

std::string root(std::string_view scheme, PaletteTheme theme) {
  std::string variables;
  for (const RoleColours& role : kPalette)
    variables += fmt::format(" --{}: #{:06x};", role.name, colour_in(theme, role.role));
  return fmt::format(":root {{ color-scheme: {};{} }}\n", scheme, variables);
}

}  // namespace

std::string html_style(PageTheme theme) {
  const std::string rules = std::string(kRules) + heat_rules();
  switch (theme) {
    case PageTheme::dark: return root("dark", PaletteTheme::dark) + rules;
    case PageTheme::light: return root("light", PaletteTheme::light) + rules;
    case PageTheme::automatic: break;
  }
  return root("dark light", PaletteTheme::dark) + "@media (prefers-color-scheme: light) {\n" +
         root("dark light", PaletteTheme::light) + "}\n@media (prefers-contrast: more) {\n" +
         root("dark", PaletteTheme::contrast) + "}\n" + rules + std::string(kContrastRules);
}

}  // namespace warpbook::lab
