// Machine code in words.
#pragma once

#include <string>

#include "device/sass/sass.hpp"
#include "lab/markup/table.hpp"
#include "lab/markup/terminal.hpp"
#include "lab/text/strings.hpp"

namespace warpbook::lab {

struct SourceExhibit;

/// What it is and where its figures come from, then an instruction a line, `width` columns wide.
std::string to_text(const device::Sass& sass, const Strings& strings, int width);
/// The same on a page.
void sass_body(const device::Sass& sass, const Strings& strings, Page& page);
/// As HTML, folded away: what it is, and its instructions. Empty where the source has none.
std::string sass_table(const SourceExhibit& source, const Strings& strings);
/// An instruction a row. First the line of source that it stems from; empty: of none.
Table table_of(const device::Sass& sass, const Strings& strings);

}  // namespace warpbook::lab
