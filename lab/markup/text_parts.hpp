// Bodies of exhibits for a terminal: what stands below the title and the sentence.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "lab/markup/terminal.hpp"
#include "lab/model/exhibits.hpp"

namespace warpbook::lab {

void body(const TensorExhibit& tensor, const Strings& strings, Page& page);
void body(const GeometryExhibit& geometry, const Strings& strings, Page& page);
void body(const AccessesExhibit& accesses, const Strings& strings, Page& page);
void body(const ImageExhibit& image, const Strings& strings, Page& page);
void body(const SourceExhibit& source, const Strings& strings, Page& page);
void body(const TimingsExhibit& timings, const Strings& strings, Page& page);
void body(const CheckExhibit& check, const Strings& strings, Page& page);
void body(const SectorsExhibit& sectors, const Strings& strings, Page& page);
void body(const TextExhibit& exhibit, const Strings& strings, Page& page);
void body(const SpacesExhibit& spaces, const Strings& strings, Page& page);
void body(const StackExhibit& stack, const Strings& strings, Page& page);
void body(const SlidingWindowExhibit& window, const Strings& strings, Page& page);
void body(const CurveExhibit& curve, const Strings& strings, Page& page);
void body(const RooflineExhibit& roofline, const Strings& strings, Page& page);
void body(const AlgorithmsExhibit& algorithms, const Strings& strings, Page& page);
void body(const ComparisonExhibit& comparison, const Strings& strings, Page& page);

/// Machine code: what it is, then an instruction a line.
void sass_body(const device::Sass& sass, const Strings& strings, Page& page);

/// A tensor's views beside its table.
void text_plot(const TensorExhibit& tensor, const Strings& strings, Page& page);
void text_heat(const TensorExhibit& tensor, TensorExhibit::View view, const Strings& strings,
               Page& page);

/// Rows of cells below each other, as many in each, numbers to the right; the first row is the head. `left`: a column of words.
/// `behind`: what a row ends with.
void text_rows(const std::vector<std::vector<std::string>>& rows, Page& page,
               std::optional<std::size_t> left = {},
               const std::function<std::string(std::size_t row)>& behind = {});

/// "blocks 3 to 5", "thread 4" as a table says them: "3 – 5", "4".
std::string span_text(std::uint64_t first, std::uint64_t last);

}  // namespace warpbook::lab
