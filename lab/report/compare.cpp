#include "lab/report/compare.hpp"

#include <algorithm>
#include <functional>
#include <map>
#include <set>

#include "device/device.hpp"

namespace warpbook::lab {
namespace {

using Comparison = ComparisonExhibit;
using Subject = Comparison::Subject;
using device::EvidenceKind;

/// None where nothing was counted: it did not compile, or did not run.
std::optional<device::Counters> total_of(const SourceExhibit& source) {
  if (source.lines.empty()) return std::nullopt;
  device::Counters total;
  for (const SourceExhibit::Line& line : source.lines) total += line.counters;
  return total;
}

/// As the GPU table calls it, however it was asked for.
std::string gpu_name(const std::string& asked) {
  const device::Properties* row = device::find_gpu(asked);
  return row ? row->name : asked;
}

/// Shown in a report by themselves, or as what a kernel wrote.
std::set<std::string, std::less<>> tensors_of(const Report& report) {
  std::set<std::string, std::less<>> names;
  for (const Exhibit& exhibit : report.exhibits) {
    if (const auto* tensor = std::get_if<TensorExhibit>(&exhibit.value)) names.insert(tensor->name);
  }
  return names;
}

class ReportComparer : public Comparer {
 public:
  ReportComparer(const Report& a, const Report& b, std::span<const std::string> ids)
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
          compare(std::get<std::remove_cvref_t<decltype(value)>>(a->value), value, *this);
        },
        b.value);
  }

  void figure(std::string name, std::optional<double> a, std::optional<double> b, Message row,
              std::optional<EvidenceKind> evidence) override {
    if (a.value_or(0) == 0 && b.value_or(0) == 0) return;
    made_.figures.push_back(
        {of_, std::move(name), std::move(row), evidence.value_or(evidence_), a, b});
  }

  void time(Message row, EvidenceKind evidence, std::optional<Time> a,
            std::optional<Time> b) override {
    const auto span = [](const std::optional<Time>& one) {
      return one ? std::optional(Comparison::Time::Span{one->seconds, one->low, one->high, one->on})
                 : std::nullopt;
    };
    made_.times.push_back({of_, std::move(row), evidence, span(a), span(b)});
  }

  void output(const TensorExhibit& a, const TensorExhibit& b) override {
    Comparison::Output made = output_of(a, b);
    made.of = of_;
    made_.outputs.push_back(std::move(made));
  }

  void check(Message sentence, std::optional<CheckState> a, std::optional<CheckState> b) override {
    made_.checks.push_back({of_, std::move(sentence), a, b});
  }

  void words(Message a, Message b, bool code) override {
    made_.words.push_back({of_, std::move(a), std::move(b), code});
  }

  [[nodiscard]] bool shows_tensor(std::string_view name) const override {
    return tensors_.contains(name);
  }

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
      figure(std::string(name), figure_of(in_a[name]), figure_of(value), {},
             modelled ? EvidenceKind::estimated : EvidenceKind::counted);
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
  std::set<std::string, std::less<>> tensors_;
  Comparison made_;
  Subject of_;  // of what is being compared
  EvidenceKind evidence_ = EvidenceKind::counted;
};

}  // namespace

ComparisonExhibit compare(const Report& a, const Report& b, std::span<const std::string> ids) {
  return ReportComparer(a, b, ids).run();
}

Exhibit comparison_of(const Report& a, const Report& b, Message name_a, Message name_b,
                      std::span<const std::string> ids) {
  ComparisonExhibit made = compare(a, b, ids);
  made.a.name = std::move(name_a);
  made.b.name = std::move(name_b);
  return {"comparison", {"comparison.title", {}, {}}, std::nullopt, std::move(made)};
}

}  // namespace warpbook::lab
