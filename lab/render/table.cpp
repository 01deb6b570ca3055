#include "lab/markup/table.hpp"

#include <algorithm>
#include <map>
#include <string_view>

#include <fmt/format.h>

#include "lab/exhibits/comparison/comparison_summary.hpp"
#include "lab/exhibits/curve/curve_summary.hpp"
#include "lab/exhibits/image/image_summary.hpp"
#include "lab/exhibits/roofline/roofline_summary.hpp"
#include "lab/exhibits/sectors/sectors_summary.hpp"
#include "lab/exhibits/sliding_window/sliding_window_summary.hpp"
#include "lab/exhibits/source/line_heat.hpp"
#include "lab/exhibits/source/sass_summary.hpp"
#include "lab/exhibits/spaces/spaces_summary.hpp"
#include "lab/exhibits/stack/stack_words.hpp"
#include "lab/markup/phrases.hpp"

namespace warpbook::lab {
namespace {

/// Shortest text that reads back as the same number.
std::string exact(double value) { return fmt::format("{}", value); }

struct TableMaker {
  const Strings& strings;

  [[nodiscard]] std::string word(std::string_view key) const {
    return strings("table." + std::string(key));
  }

  Table operator()(const TensorExhibit& tensor) const {
    Table table;
    const std::size_t rank = std::max<std::size_t>(1, tensor.shape.size());
    for (std::size_t d = 0; d < rank; ++d)
      table.head.push_back(rank == 1 ? "i" : "i" + std::to_string(d));
    table.head.push_back(tensor.name);
    if (!tensor.wrong.empty()) table.head.push_back(word("wrong"));
    for (std::uint64_t e = 0; e < count(tensor); ++e) {
      std::vector<std::string> row(rank);
      std::uint64_t rest = e;
      for (std::size_t d = rank; d-- > 0;) {
        const std::uint64_t length = d < tensor.shape.size() ? tensor.shape[d] : 1;
        row[d] = std::to_string(rest % length);
        rest /= length;
      }
      row.push_back(element_text(tensor, e));
      if (!tensor.wrong.empty())
        row.emplace_back(std::ranges::find(tensor.wrong, e) == tensor.wrong.end() ? "" : "x");
      table.rows.push_back(std::move(row));
    }
    return table;
  }

  Table operator()(const GeometryExhibit& geometry) const {
    Table table{{word("quantity"), "x", "y", "z"}, {}};
    const auto three = [&](std::string_view name, const device::Dim3& d) {
      table.rows.push_back(
          {word(name), std::to_string(d.x), std::to_string(d.y), std::to_string(d.z)});
    };
    three("grid", geometry.grid);
    three("block", geometry.block);
    table.rows.push_back({word("threads"), std::to_string(geometry.threads), "", ""});
    if (geometry.idle_known)
      table.rows.push_back({word("idle"), std::to_string(geometry.idle), "", ""});
    return table;
  }

  Table operator()(const AccessesExhibit& accesses) const {
    Table table{{word("block"), word("thread"), word("access"), word("array"), "i", word("line")},
                {}};
    for (const AccessesExhibit::Wire& wire : accesses.wires) {
      table.rows.push_back({std::to_string(wire.block), std::to_string(wire.thread),
                            std::string(device::name_of(wire.kind)),
                            accesses.arrays[wire.array].tensor.name, std::to_string(wire.element),
                            std::to_string(wire.line)});
    }
    return table;
  }

  Table operator()(const ImageExhibit& image) const {
    Table table{{"x", "y", "z", word("block"), word("thread"), word("writes")}, {}};
    for (std::uint64_t i = 0; i < image.writes.size(); ++i) {
      const ImagePixel pixel = pixel_at(image, i);
      const ImagePlace at = place_of(image, i);
      const bool known = pixel.writer.has_value();
      table.rows.push_back({std::to_string(at.x), std::to_string(at.y), std::to_string(at.z),
                            known ? std::to_string(pixel.writer->block) : "",
                            known ? std::to_string(pixel.writer->thread) : "",
                            std::to_string(image.writes[i])});
    }
    return table;
  }

  Table operator()(const SectorsExhibit& sectors) const {
    Table table{{word("line"), word("access"), word("array"), word("block"), word("warp"),
                 word("lane"), word("offset"), word("bytes"), word("sector")},
                {}};
    for (const SectorsExhibit::Request& request : sectors.requests) {
      const SectorsExhibit::Place& place = sectors.places[request.place];
      for (const SectorsExhibit::Lane& lane : request.lanes) {
        table.rows.push_back({std::to_string(place.line), std::string(device::name_of(place.kind)),
                              sectors.arrays[lane.array].name, std::to_string(request.block),
                              std::to_string(request.warp), std::to_string(lane.lane),
                              std::to_string(lane.offset), std::to_string(place.bytes),
                              std::to_string(sector_of(sectors, lane))});
      }
    }
    return table;
  }

  Table operator()(const SourceExhibit& source) const {
    Table table{{word("line"), word("source")}, {}};
    std::vector<LineHeat> heats;
    for (const Heat heat : heats_of(source)) {
      heats.emplace_back(source, heat);
      table.head.push_back(heat_name(heat, strings));
    }
    table.head.push_back(word("said"));
    std::uint32_t number = 0;
    for (const std::string_view line : lines_of(source.text)) {
      ++number;
      std::string said;
      for (const SourceExhibit::Mark& mark : source.marks) {
        if (mark.line == number) said += (said.empty() ? "" : "; ") + strings(mark.text);
      }
      std::vector<std::string> row{std::to_string(number), std::string(line)};
      for (const LineHeat& heat : heats) row.push_back(std::to_string(heat.of_line(number)));
      row.push_back(std::move(said));
      table.rows.push_back(std::move(row));
    }
    if (source.sass) add_below(table, table_of(*source.sass, strings));
    return table;
  }

  /// The rows of `other` below those of `table`. Both have their first column in common, and no other.
  static void add_below(Table& table, const Table& other) {
    const std::size_t before = table.head.size(), more = other.head.size() - 1;
    table.head.insert(table.head.end(), other.head.begin() + 1, other.head.end());
    for (auto& row : table.rows) row.resize(before + more);
    for (const auto& below : other.rows) {
      std::vector<std::string> row(before);
      row.front() = below.front();
      row.insert(row.end(), below.begin() + 1, below.end());
      table.rows.push_back(std::move(row));
    }
  }

  Table operator()(const TimingsExhibit& timings) const {
    Table table{{word("what"), word("seconds"), word("low"), word("high"), word("samples"),
                 word("evidence"), word("on"), word("because")},
                {}};
    for (const TimingsExhibit::Row& row : timings.rows) {
      table.rows.push_back({strings(row.label), exact(row.seconds), exact(row.low), exact(row.high),
                            std::to_string(row.samples),
                            std::string(device::name_of(row.evidence.kind)), row.evidence.on,
                            strings(row.because)});
    }
    return table;
  }

  Table operator()(const CheckExhibit& check) const {
    Table table{{word("what"), word("state"), word("got"), word("line")}, {}};
    for (const CheckExhibit::Item& item : check.items) {
      static constexpr std::string_view kStates[] = {"check.state-passed", "check.state-failed",
                                                     "check.state-warning", "check.state-waiting"};
      table.rows.push_back({strings(item.sentence),
                            strings(kStates[static_cast<std::size_t>(item.state)]),
                            strings(item.got), item.line ? std::to_string(item.line) : ""});
    }
    return table;
  }

  [[nodiscard]] Table stations(const SpacesExhibit::Journey& journey) const {
    Table table{{word("step"), word("place"), word("text"), word("line"), word("cost")}, {}};
    for (std::size_t i = 0; i < journey.stations.size(); ++i) {
      const SpacesExhibit::Station& station = journey.stations[i];
      table.rows.push_back(
          {std::to_string(i + 1), strings("spaces.place." + std::string(name_of(station.box))),
           strings(station.says), station.line != 0 ? std::to_string(station.line) : "",
           strings(station.cost)});
    }
    return table;
  }

  Table operator()(const SpacesExhibit& spaces) const {
    if (spaces.journey) return stations(*spaces.journey);
    Table table{{word("space"), word("size"), word("clocks"), word("requests"), word("asked"),
                 word("moved"), word("passes"), word("evidence")},
                {}};
    const auto figure = [](const std::optional<std::uint64_t>& known) {
      return known ? std::to_string(*known) : "";
    };
    for (const SpacesExhibit::Row& row : spaces.rows) {
      const auto evidence =
          row.estimated ? device::EvidenceKind::estimated : device::EvidenceKind::counted;
      table.rows.push_back({strings("spaces.name." + std::string(name_of(row.space))),
                            row.bytes ? std::to_string(row.bytes) : "",
                            row.latency != 0 ? exact(row.latency) : "", figure(row.requests),
                            figure(row.asked), figure(row.moved), figure(row.passes),
                            did_something(row) ? std::string(device::name_of(evidence)) : ""});
    }
    return table;
  }

  Table operator()(const TextExhibit& text) const {
    Table table{{word("text")}, {}};
    const std::string whole = strings(text.text);
    for (std::string_view rest = whole; !rest.empty();) {
      const std::string_view line = rest.substr(0, rest.find('\n'));
      rest.remove_prefix(std::min(rest.size(), line.size() + 1));
      table.rows.push_back({std::string(line)});
    }
    return table;
  }

  Table operator()(const AlgorithmsExhibit& algorithms) const {
    Table table{{word("library"), word("what"), word("settings"), word("notes"), word("workspace"),
                 word("seconds"), word("low"), word("high"), word("samples"), word("off"),
                 word("evidence"), word("on")},
                {}};
    for (const AlgorithmsExhibit::Group& group : algorithms.groups) {
      for (const AlgorithmsExhibit::Row& row : group.rows) {
        std::string notes = row.origin;
        for (const std::string& note : row.notes) notes += (notes.empty() ? "" : " ") + note;
        table.rows.push_back(
            {strings(group.name), row.name, row.settings, std::move(notes),
             std::to_string(row.workspace), row.time ? exact(row.time->seconds) : "",
             row.time ? exact(row.time->low) : "", row.time ? exact(row.time->high) : "",
             row.time ? std::to_string(row.time->samples) : "", row.off ? exact(*row.off) : "",
             group.evidence ? std::string(device::name_of(group.evidence->kind)) : "",
             group.evidence ? group.evidence->on : ""});
      }
    }
    return table;
  }

  /// The taps of the chosen output's window, and behind them what its thread read beside it.
  Table operator()(const SlidingWindowExhibit& window) const {
    Table table{{word("channel"), word("row"), word("column"), window.input.name,
                 window.weights.name, word("value"), word("reads"), word("weight")},
                {}};
    const auto sizes = sizes_of(window);
    if (!sizes || window.chosen >= window.outputs.size()) return table;
    const SlidingWindowRead read = read_of(window, *sizes, window.outputs[window.chosen]);
    for (const SlidingWindowTap& tap : read.taps) {
      const bool inside = tap.input != SlidingWindowTap::kPadding;
      const auto value = [&](const TensorExhibit& tensor, std::int64_t at) {
        return element_text(tensor, static_cast<std::uint64_t>(at));
      };
      table.rows.push_back({std::to_string(tap.channel), std::to_string(tap.place.row),
                            std::to_string(tap.place.column),
                            inside ? std::to_string(tap.input) : "", std::to_string(tap.weight),
                            inside ? value(window.input, tap.input) : "", std::to_string(tap.reads),
                            value(window.weights, tap.weight)});
    }
    for (const std::int64_t stray : read.astray)
      table.rows.push_back({"", "", "", std::to_string(stray), "", "", "", ""});
    return table;
  }

  Table operator()(const StackExhibit& stack) const {
    Table table{{word("part"), word("state"), word("found"), word("said"), word("remedy")}, {}};
    for (const StackExhibit::Part& part : stack.parts) {
      table.rows.push_back({strings(part.name), strings(state_key(part.state)),
                            fmt::format("{}", fmt::join(part.found, "; ")),
                            problem_of(part, strings), part.remedy});
    }
    for (const StackExhibit::Fit& fit : stack.fits) {
      table.rows.push_back(
          {name_of_part(stack, fit.part, strings) + " + " + name_of_part(stack, fit.with, strings),
           strings(fit.fits ? "machine.fits" : "machine.misfits"), "", strings(fit.text), ""});
    }
    return table;
  }

  /// What both runs have as numbers; changed lines of sources are left to the other forms.
  Table operator()(const ComparisonExhibit& comparison) const {
    Table table{{word("what"), word("quantity"), word("evidence"), "A", "B", word("change")}, {}};
    const auto known = [](const std::optional<double>& value) {
      return value ? exact(*value) : std::string();
    };
    for (const ComparisonExhibit::Setting& setting : comparison.settings)
      table.rows.push_back(
          {strings("comparison.part.settings"), setting.name, "", setting.a, setting.b, ""});
    for (const ComparisonExhibit::Figure& figure : comparison.figures) {
      table.rows.push_back({strings(figure.of.title), name_of(figure, strings),
                            std::string(device::name_of(figure.evidence)), known(figure.a),
                            known(figure.b), known(change_of(figure.a, figure.b))});
    }
    for (const ComparisonExhibit::Time& time : comparison.times) {
      table.rows.push_back(
          {strings(time.of.title), strings(time.row), std::string(device::name_of(time.evidence)),
           time.a ? exact(time.a->seconds) : "", time.b ? exact(time.b->seconds) : "",
           is_apart(time) ? known(change_of(time.a->seconds, time.b->seconds)) : ""});
    }
    for (const ComparisonExhibit::Output& output : comparison.outputs)
      table.rows.push_back({strings(output.of.title), output.name, "", output.shape_a,
                            output.shape_b, sentence_of(output, strings)});
    return table;
  }

  Table operator()(const RooflineExhibit& roofline) const {
    Table table{row_head(strings), {}};
    for (std::size_t i = 0; i < roofline.points.size(); ++i)
      table.rows.push_back(row_of(roofline, i, strings));
    return table;
  }

  Table operator()(const CurveExhibit& curve) const {
    Table table{{"i", variable_name(curve, strings)}, {}};
    for (const CurveExhibit::Series& series : curve.series)
      table.head.push_back(strings(series.name));
    for (std::uint64_t p = 0; p < points_of(curve); ++p) {
      table.rows.push_back({std::to_string(curve.element[p]), element_text(curve.x, p)});
      for (const CurveExhibit::Series& series : curve.series)
        table.rows.back().push_back(element_text(series.values, p));
    }
    return table;
  }
};

std::string csv_row(const std::vector<std::string>& cells) {
  std::string row;
  for (std::size_t i = 0; i < cells.size(); ++i) {
    if (i) row += ',';
    if (cells[i].find_first_of(",\"\r\n") == std::string::npos) {
      row += cells[i];
      continue;
    }
    row += '"';
    for (const char c : cells[i]) row += c == '"' ? std::string("\"\"") : std::string(1, c);
    row += '"';
  }
  return row + '\n';
}

std::string markdown_row(const std::vector<std::string>& cells) {
  std::string row = "|";
  for (const std::string& cell : cells) {
    row += ' ';
    for (const char c : cell) {
      if (c == '|' || c == '\\') row += '\\';
      row += c == '\n' ? ' ' : c;
    }
    row += " |";
  }
  return row + '\n';
}

std::string markdown_of(const Table& table) {
  std::string text =
      markdown_row(table.head) + markdown_row(std::vector<std::string>(table.head.size(), "---"));
  for (const auto& row : table.rows) text += markdown_row(row);
  return text;
}

std::string markdown_of(const SourceExhibit& source, const Strings& strings) {
  std::string text =
      "```cuda\n" + source.text + (source.text.ends_with('\n') ? "" : "\n") + "```\n";
  if (!source.sass) return text;
  text += "\n**" + strings("sass.title") + "**\n\n" + summary_of(*source.sass, strings) + "\n";
  if (instructions_of(*source.sass) != 0)
    text +=
        "\n" + markdown_of(table_of(*source.sass, strings)) + "\n" + strings("sass.legend") + "\n";
  return text;
}

}  // namespace

Table table_of(const Exhibit& exhibit, const Strings& strings) {
  return std::visit(TableMaker{strings}, exhibit.value);
}

std::string to_csv(const Table& table) {
  std::string text = csv_row(table.head);
  for (const auto& row : table.rows) text += csv_row(row);
  return text;
}

std::string to_markdown(const Exhibit& exhibit, const Strings& strings) {
  std::string text = "**" + strings(exhibit.title) + "**";
  if (exhibit.evidence) {
    text += " (" + strings("evidence." + std::string(device::name_of(exhibit.evidence->kind))) +
            ", " + exhibit.evidence->on + ")";
  }
  text += "\n\n";
  if (std::holds_alternative<TextExhibit>(exhibit.value))  // its sentence is the text itself
    return text + "```text\n" + strings(std::get<TextExhibit>(exhibit.value).text) + "\n```\n";
  text += sentence(exhibit, strings) + "\n\n";
  if (const auto* source = std::get_if<SourceExhibit>(&exhibit.value))
    return text + markdown_of(*source, strings);
  return text + markdown_of(table_of(exhibit, strings));
}

}  // namespace warpbook::lab
