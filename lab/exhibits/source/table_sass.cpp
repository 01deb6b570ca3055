#include <fmt/format.h>

#include "lab/exhibits/source/sass_summary.hpp"
#include "lab/exhibits/source/sass_text.hpp"
#include "lab/markup/table.hpp"

namespace warpbook::lab {
namespace {

std::string line_or_nothing(std::uint32_t line) {
  return line == 0 ? std::string() : std::to_string(line);
}

}  // namespace

Table table_of(const device::Sass& sass, const Strings& strings) {
  Table table{{strings("table.line"), strings("table.function"), strings("sass.address"),
               strings("sass.title"), strings("sass.of-ptx"), strings("sass.stall"),
               strings("sass.waits"), strings("sass.sets"), strings("sass.ran")},
              {}};
  for (const device::SassFunction& function : sass.functions) {
    for (const device::SassInstruction& one : function.instructions) {
      table.rows.push_back({line_or_nothing(one.line), function.name, address_text(one), one.text,
                            line_or_nothing(one.ptx_line), std::to_string(one.stall),
                            waits_text(one), sets_text(one),
                            function.counted ? fmt::format("{}", one.executed) : ""});
    }
  }
  return table;
}

}  // namespace warpbook::lab
