#include <algorithm>

#include "lab/exhibits/accesses/wire_picture.hpp"
#include "lab/exhibits/accesses/wire_rows.hpp"
#include "lab/markup/html_parts.hpp"
#include "lab/markup/svg_pen.hpp"

namespace warpbook::lab {
namespace {

constexpr std::uint64_t kMostThreads = 64;
constexpr std::size_t kHtmlWiresMostColumns = 72;
/// Of a picture, and of one of its columns: a wider picture is scaled down by the page.
constexpr double kHtmlWiresWidth = 768, kHtmlWiresColumn = 36;

}  // namespace

std::string svg_wires(const AccessesExhibit& accesses, const Strings& strings,
                      const std::string& caption) {
  const std::uint64_t threads = accesses.grid.count() * accesses.block.count();
  if (threads == 0 || threads > kMostThreads || accesses.arrays.empty()) return {};
  const WirePlan plan = plan_wires(accesses, kMostThreads, kHtmlWiresMostColumns);
  const bool folded = std::ranges::any_of(plan.elements, &WirePlan::Column::gap);
  if (folded || plan.elements.empty()) return {};
  const auto columns = static_cast<double>(std::max(plan.threads.size(), plan.elements.size()));
  const double width = std::max(kHtmlWiresWidth, columns * kHtmlWiresColumn);
  const WireLayout layout(accesses, width, kHtmlWiresMostColumns);
  return svg_of(drawing_of(accesses, layout, {}, svg_canvas(width, strings)), caption);
}

}  // namespace warpbook::lab
