#include "lab/exhibits/comparison/comparison.hpp"

#include <algorithm>
#include <map>
#include <set>

#include "device/device.hpp"
#include "lab/exhibits/roofline/roofline_summary.hpp"
#include "lab/exhibits/sectors/sectors_summary.hpp"
#include "lab/exhibits/spaces/spaces_summary.hpp"

namespace warpbook::lab {
namespace {

using Comparison = ComparisonExhibit;
using Subject = Comparison::Subject;
using device::EvidenceKind;

constexpr device::Counters kNoCounters;

/// The row of `rows` that `row` is to be held against; null where there is none.
template <class Row, class Same>
const Row* match(const std::vector<Row>& rows, const Same& same) {
  const auto found = std::ranges::find_if(rows, same);
  return found == rows.end() ? nullptr : &*found;
}

bool is_counter(std::string_view name) {
  bool found = name == "warps" || name == "multiplications" || name == "workspace";
  for_each_counter(kNoCounters, [&](std::string_view one, std::uint64_t) { found |= one == name; });
  return found;
}

/// "28,488" as a number; none where it is something else.
std::optional<double> whole_number(std::string_view text) {
  double value = 0;
  for (const char c : text) {
    if (c == ',') continue;
    if (c < '0' || c > '9') return std::nullopt;
    value = 10 * value + (c - '0');
  }
  return text.empty() ? std::nullopt : std::optional(value);
}

/// None where nothing was counted: it did not compile, or did not run.
std::optional<device::Counters> total_of(const SourceExhibit& source) {
  if (source.lines.empty()) return std::nullopt;
  device::Counters total;
  for (const SourceExhibit::Line& line : source.lines) total += line.counters;
  return total;
}

/// "aos, soa"; of names that are to be translated, the second.
Message both_names(const Message& a, const Message& b) {
  if (a.text.empty() || b.text.empty()) return b;
  return {"comparison.names", {{"a", a.text}, {"b", b.text}}, {}};
}

/// As the GPU table calls it, however it was asked for.
std::string gpu_name(const std::string& asked) {
  const device::Properties* row = device::find_gpu(asked);
  return row ? row->name : asked;
}

/// Shown in a report by themselves, or as what a kernel wrote.
std::set<std::string> tensors_of(const Report& report) {
  std::set<std::string> names;
  for (const Exhibit& exhibit : report.exhibits) {
    if (const auto* tensor = std::get_if<TensorExhibit>(&exhibit.value)) names.insert(tensor->name);
  }
  return names;
}

class Comparer {
 public:
  Comparer(const Report& a, const Report& b, std::span<const std::string> ids)
      : a_(a), b_(b), ids_(ids), tensors_(tensors_of(b)) {}

  Comparison run() {
    made_.a = {{}, a_.device, a_.inputs_hash, a_.errors};
    made_.b = {{}, b_.device, b_.inputs_hash, b_.errors};
    add_settings();
    for (const Exhibit& exhibit : b_.exhibits) {
      if (wanted(exhibit)) add(a_.find(exhibit.id), exhibit);
    }
    for (const Exhibit& exhibit : a_.exhibits) {
      if (wanted(exhibit) && !b_.find(exhibit.id))
        made_.only.push_back({{exhibit.id, exhibit.title}, false});
    }
    add_sources();
    return std::move(made_);
  }

 private:
  [[nodiscard]] bool wanted(const Exhibit& exhibit) const {
    if (std::holds_alternative<SourceExhibit>(exhibit.value)) return false;  // add_sources()
    return ids_.empty() || std::ranges::find(ids_, exhibit.id) != ids_.end();
  }

  void add_settings() {
    const auto add = [&](std::string name, std::string a, std::string b) {
      if (a != b) made_.settings.push_back({std::move(name), std::move(a), std::move(b)});
    };
    std::set<std::string> names;
    for (const Report* report : {&a_, &b_}) {
      for (const auto& [name, value] : report->inputs.values.all()) names.insert(name);
    }
    const auto text = [](const Report& report, const std::string& name) {
      const Value* value = report.inputs.values.find(name);
      return value ? to_text(*value) : std::string();
    };
    for (const std::string& name : names) add(name, text(a_, name), text(b_, name));
    // A chapter may have parameters of these names, which are other things: they stand above.
    add("GPU", gpu_name(a_.inputs.gpu), gpu_name(b_.inputs.gpu));
    add("device", a_.inputs.device, b_.inputs.device);
    add("seed", std::to_string(a_.inputs.seed), std::to_string(b_.inputs.seed));
  }

  void add(const Exhibit* a, const Exhibit& b) {
    of_ = {b.id, b.title};
    if (!a || a->value.index() != b.value.index()) {
      made_.only.push_back({of_, true});
      if (a) made_.only.push_back({{a->id, a->title}, false});
      return;
    }
    evidence_ = b.evidence ? b.evidence->kind : EvidenceKind::counted;
    std::visit(
        [&](const auto& value) {
          add(std::get<std::remove_cvref_t<decltype(value)>>(a->value), value);
        },
        b.value);
  }

  void figure(std::string name, std::optional<double> a, std::optional<double> b,
              Message row = {}) {
    figure(std::move(name), a, b, evidence_, std::move(row));
  }
  void figure(std::string name, std::optional<double> a, std::optional<double> b, EvidenceKind evidence,
              Message row) {
    if (a.value_or(0) == 0 && b.value_or(0) == 0) return;
    made_.figures.push_back({of_, std::move(name), std::move(row), evidence, a, b});
  }
  template <class T>
  static std::optional<double> number_of(const std::optional<T>& known) {
    return known ? std::optional(static_cast<double>(*known)) : std::nullopt;
  }
  static std::optional<double> exact(std::uint64_t value) { return static_cast<double>(value); }

  void output(const TensorExhibit& a, const TensorExhibit& b) {
    Comparison::Output made = output_of(a, b);
    made.of = of_;
    made_.outputs.push_back(std::move(made));
  }

  void add(const TensorExhibit& a, const TensorExhibit& b) { output(a, b); }
  void add(const ImageExhibit& a, const ImageExhibit& b) { output(a.pixels, b.pixels); }

  /// What the kernel wrote, unless it has an exhibit of its own.
  void add(const AccessesExhibit& a, const AccessesExhibit& b) {
    for (const AccessesExhibit::Array& array : b.arrays) {
      const std::string& name = array.tensor.name;
      if (!array.written || tensors_.contains(name)) continue;
      if (const auto* other = match(
              a.arrays, [&](const auto& one) { return one.written && one.tensor.name == name; }))
        output(other->tensor, array.tensor);
    }
  }

  void add(const GeometryExhibit& a, const GeometryExhibit& b) {
    figure("blocks", exact(a.grid.count()), exact(b.grid.count()));
    figure("threads_a_block", exact(a.block.count()), exact(b.block.count()));
    figure("threads", exact(a.threads), exact(b.threads));
    const auto idle = [](const GeometryExhibit& geometry) {
      return geometry.idle_known ? exact(geometry.idle) : std::nullopt;
    };
    figure("idle_threads", idle(a), idle(b));
  }

  void add(const SectorsExhibit& a, const SectorsExhibit& b) {
    const SectorTotals in_a = totals_of(a), in_b = totals_of(b);
    figure("requests", exact(in_a.requests), exact(in_b.requests));
    figure("sectors", exact(in_a.sectors), exact(in_b.sectors));
    figure("bytes_asked", exact(in_a.bytes_asked), exact(in_b.bytes_asked));
  }

  void add(const SpacesExhibit& a, const SpacesExhibit& b) {
    if (a.journey && b.journey) return;  // one value's way; the launch's figures stand elsewhere
    figure("registers", number_of(a.registers), number_of(b.registers));
    figure("spilled_bytes", number_of(a.spilled_bytes), number_of(b.spilled_bytes));
    figure("local_a_thread", exact(a.local_bytes), exact(b.local_bytes));
    figure("shared_a_block", exact(a.shared_bytes), exact(b.shared_bytes));
    for (const SpacesExhibit::Row& row : b.rows) {
      const SpacesExhibit::Row* other = row_of(a, row.space);
      const Message name{"spaces.name." + std::string(name_of(row.space)), {}, {}};
      const EvidenceKind evidence = row.estimated ? EvidenceKind::estimated : evidence_;
      const auto both = [&](const char* what, auto member) {
        figure(what, other ? number_of(other->*member) : std::nullopt, number_of(row.*member),
               evidence, name);
      };
      both("requests", &SpacesExhibit::Row::requests);
      both("bytes_asked", &SpacesExhibit::Row::asked);
      both("bytes_moved", &SpacesExhibit::Row::moved);
      both("passes", &SpacesExhibit::Row::passes);
    }
  }

  void add(const TimingsExhibit& a, const TimingsExhibit& b) {
    using Row = TimingsExhibit::Row;
    const auto span = [](const Row& row) {
      return Comparison::Time::Span{row.seconds, row.low, row.high, row.evidence.on};
    };
    static constexpr auto kAlike = [](const Row& one) {
      return [&one](const Row& other) {
        return other.label == one.label && other.evidence.kind == one.evidence.kind;
      };
    };
    // Kernels of two names are still the same thing to be timed where each is the only one without its like.
    std::vector<const Row*> rest_a;
    for (const Row& row : a.rows) {
      if (!match(b.rows, kAlike(row))) rest_a.push_back(&row);
    }
    const auto only_one = [](const std::vector<Row>& rows, const std::vector<Row>& others,
                             const Row& row) {
      return std::ranges::count_if(rows, [&](const Row& one) {
               return one.evidence.kind == row.evidence.kind &&
                      !match(others, kAlike(one));
             }) == 1;
    };
    for (const Row& row : b.rows) {
      const Row* other = match(a.rows, kAlike(row));
      Message name = row.label;
      const auto left = std::ranges::find_if(rest_a, [&](const Row* one) {
        return one->evidence.kind == row.evidence.kind;
      });
      if (!other && left != rest_a.end() && only_one(a.rows, b.rows, row) &&
          only_one(b.rows, a.rows, row)) {
        other = *left;
        name = both_names(other->label, row.label);
        rest_a.erase(left);
      }
      made_.times.push_back({of_, std::move(name), row.evidence.kind,
                             other ? std::optional(span(*other)) : std::nullopt, span(row)});
    }
    for (const Row* row : rest_a)
      made_.times.push_back({of_, row->label, row->evidence.kind, span(*row), std::nullopt});
  }

  void add(const CheckExhibit& a, const CheckExhibit& b) {
    using Item = CheckExhibit::Item;
    const auto alike = [](const Item& one) {
      return [&one](const Item& other) { return other.id == one.id; };
    };
    for (const Item& item : b.items) {
      const Item* other = match(a.items, alike(item));
      made_.checks.push_back(
          {of_, item.sentence, other ? std::optional(other->state) : std::nullopt, item.state});
    }
    for (const Item& item : a.items) {
      if (!match(b.items, alike(item)))
        made_.checks.push_back({of_, item.sentence, item.state, std::nullopt});
    }
  }

  /// Arguments of one sentence that are named as counters are figures.
  void add(const TextExhibit& a, const TextExhibit& b) {
    if (a.text != b.text) made_.words.push_back({of_, a.text, b.text, b.code});
    if (a.text.key.empty() || a.text.key != b.text.key) return;
    for (const auto& [name, text] : b.text.arguments) {
      const std::string& called = name;
      const auto other =
          std::ranges::find(a.text.arguments, called, &std::pair<std::string, std::string>::first);
      if (other != a.text.arguments.end() && is_counter(name))
        figure(name, whole_number(other->second), whole_number(text));
    }
  }

  /// Point by point where both have the same x; else x alone is told to differ.
  void add(const CurveExhibit& a, const CurveExhibit& b) {
    if (a.x.data != b.x.data) {
      output(a.x, b.x);
      return;
    }
    for (const CurveExhibit::Series& series : b.series) {
      if (const auto* other =
              match(a.series, [&](const auto& one) { return one.name == series.name; }))
        output(other->values, series.values);
    }
  }

  void add(const RooflineExhibit& a, const RooflineExhibit& b) {
    for (const RooflineExhibit::Point& point : b.points) {
      const auto* other = match(a.points, [&](const auto& one) { return one.name == point.name; });
      const auto both = [&](const char* what, auto member) {
        const auto in_a = other ? std::optional(other->*member) : std::nullopt;
        figure(what, in_a, point.*member, EvidenceKind::estimated, point.name);
      };
      both("operations", &RooflineExhibit::Point::operations);
      both("l2_bytes", &RooflineExhibit::Point::l2_bytes);
      both("dram_bytes", &RooflineExhibit::Point::dram_bytes);
    }
  }

  void add(const AlgorithmsExhibit& a, const AlgorithmsExhibit& b) {
    for (const AlgorithmsExhibit::Group& group : b.groups) {
      const auto* others = match(a.groups, [&](const auto& one) { return one.name == group.name; });
      if (!others) continue;
      const EvidenceKind evidence = group.evidence ? group.evidence->kind : evidence_;
      for (const AlgorithmsExhibit::Row& row : group.rows) {
        const auto* other = match(others->rows, [&](const auto& one) {
          return one.name == row.name && one.settings == row.settings;
        });
        if (!other) continue;
        figure("workspace", exact(other->workspace), exact(row.workspace), evidence,
               Message::plain(row.name));
        add_time(*others, *other, group, row);
      }
    }
  }
  void add_time(const AlgorithmsExhibit::Group& group_a, const AlgorithmsExhibit::Row& a,
                const AlgorithmsExhibit::Group& group_b, const AlgorithmsExhibit::Row& b) {
    if (!a.time || !b.time || !group_a.evidence || !group_b.evidence ||
        group_a.evidence->kind != group_b.evidence->kind)
      return;
    const auto span = [](const AlgorithmsExhibit::Time& time, const std::string& on) {
      return Comparison::Time::Span{time.seconds, time.low, time.high, on};
    };
    made_.times.push_back({of_, Message::plain(b.name), group_b.evidence->kind,
                           span(*a.time, group_a.evidence->on),
                           span(*b.time, group_b.evidence->on)});
  }

  // What a machine has is the same for both runs; a window's outputs are compared as the tensor that they make up.
  void add(const StackExhibit&, const StackExhibit&) {}
  void add(const SlidingWindowExhibit&, const SlidingWindowExhibit&) {}
  void add(const SourceExhibit&, const SourceExhibit&) {}
  void add(const ComparisonExhibit&, const ComparisonExhibit&) {}

  /// A source that a run did not get to compile has its text in the inputs.
  static SourceExhibit source_in(const Report& report, const std::string& id) {
    if (const auto* source = report.find_as<SourceExhibit>(id)) return *source;
    SourceExhibit bare;
    bare.file = id + ".cu";
    bare.slot = id;
    if (const auto found = report.inputs.sources.find(id); found != report.inputs.sources.end())
      bare.text = found->second;
    return bare;
  }

  void add_sources() {
    std::vector<std::string> ids;
    const auto note = [&](const std::string& id) {
      if (std::ranges::find(ids, id) == ids.end()) ids.push_back(id);
    };
    for (const Report* report : {&b_, &a_}) {
      for (const Exhibit& exhibit : report->exhibits) {
        if (std::holds_alternative<SourceExhibit>(exhibit.value)) note(exhibit.id);
      }
    }
    for (const Report* report : {&b_, &a_}) {
      for (const auto& [slot, text] : report->inputs.sources) note(slot);
    }
    evidence_ = EvidenceKind::counted;
    for (const std::string& id : ids) add_source(source_in(a_, id), source_in(b_, id), id);
  }

  void add_counters(const device::Counters& a, const device::Counters& b) {
    std::map<std::string_view, std::uint64_t> in_a;
    for_each_counter(a, [&](std::string_view name, std::uint64_t value) { in_a[name] = value; });
    for_each_counter(b, [&](std::string_view name, std::uint64_t value) {
      const bool modelled = name.starts_with("issued_");
      figure(std::string(name), exact(in_a[name]), exact(value),
             modelled ? EvidenceKind::estimated : EvidenceKind::counted, {});
    });
  }

  void add_source(const SourceExhibit& a, const SourceExhibit& b, const std::string& id) {
    of_ = {id, Message::plain(b.file)};
    const auto in_a = total_of(a), in_b = total_of(b);
    if (in_a.has_value() != in_b.has_value()) made_.only.push_back({of_, in_b.has_value()});
    if (in_a && in_b) add_counters(*in_a, *in_b);
    if (a.text == b.text && (!in_a || !in_b || a.lines == b.lines)) return;
    Comparison::Source made = source_of(a, b);
    made.of = of_;
    made_.sources.push_back(std::move(made));
  }

  const Report& a_;
  const Report& b_;
  std::span<const std::string> ids_;
  std::set<std::string> tensors_;
  Comparison made_;
  Subject of_;  // of what is being compared
  EvidenceKind evidence_ = EvidenceKind::counted;
};

}  // namespace

ComparisonExhibit compare(const Report& a, const Report& b, std::span<const std::string> ids) {
  return Comparer(a, b, ids).run();
}

Exhibit comparison_of(const Report& a, const Report& b, Message name_a, Message name_b,
                      std::span<const std::string> ids) {
  ComparisonExhibit made = compare(a, b, ids);
  made.a.name = std::move(name_a);
  made.b.name = std::move(name_b);
  return {"comparison", {"comparison.title", {}, {}}, std::nullopt, std::move(made)};
}

}  // namespace warpbook::lab
