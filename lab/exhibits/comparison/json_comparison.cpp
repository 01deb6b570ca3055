#include <nlohmann/json.hpp>

#include "lab/exhibits/comparison/comparison_summary.hpp"
#include "lab/markup/json_parts.hpp"
#include "lab/model/report.hpp"

namespace warpbook::lab {
namespace {

using nlohmann::json;
using Comparison = ComparisonExhibit;

class JsonComparisonMaker {
 public:
  explicit JsonComparisonMaker(const Strings& english) : english_(english) {}

  [[nodiscard]] json operator()(const Comparison& c) const {
    return {{"a", of(c.a)},
            {"b", of(c.b)},
            {"differs", differs(c)},
            {"settings", list(c.settings)},
            {"figures", list(c.figures)},
            {"times", list(c.times)},
            {"outputs", list(c.outputs)},
            {"checks", list(c.checks)},
            {"words", list(c.words)},
            {"sources", list(c.sources)},
            {"only", list(c.only)}};
  }

 private:
  template <class Row>
  json list(const std::vector<Row>& rows) const {
    json made = json::array();
    for (const Row& row : rows) made.push_back(of(row));
    return made;
  }
  [[nodiscard]] std::string text(const Message& message) const {
    return json_text(english_(message));
  }
  static json known(const std::optional<double>& value) {
    return value ? json_number(*value) : json(nullptr);
  }
  static json state(const std::optional<CheckExhibit::State>& value) {
    return value ? json(name_of(*value)) : json(nullptr);
  }

  [[nodiscard]] json of(const Comparison::Side& side) const {
    json errors = json::array();
    for (const device::Error& error : side.errors) errors.push_back(to_json(error));
    return {{"name", text(side.name)},
            {"device", json_text(side.device)},
            {"inputs_hash", hash_text(side.inputs_hash)},
            {"errors", std::move(errors)}};
  }
  [[nodiscard]] static json of(const Comparison::Setting& setting) {
    return {{"name", json_text(setting.name)},
            {"a", json_text(setting.a)},
            {"b", json_text(setting.b)}};
  }
  [[nodiscard]] json of(const Comparison::Figure& figure) const {
    return {{"exhibit", json_text(figure.of.id)},
            {"name", json_text(figure.name)},
            {"row", text(figure.row)},
            {"evidence", device::name_of(figure.evidence)},
            {"a", known(figure.a)},
            {"b", known(figure.b)},
            {"change_percent", known(change_of(figure.a, figure.b))}};
  }
  [[nodiscard]] json of(const Comparison::Time& time) const {
    const auto span = [](const std::optional<Comparison::Time::Span>& one) {
      return one ? json{{"seconds", json_number(one->seconds)},
                        {"low", json_number(one->low)},
                        {"high", json_number(one->high)},
                        {"on", json_text(one->on)}}
                 : json(nullptr);
    };
    return {{"exhibit", json_text(time.of.id)},
            {"row", text(time.row)},
            {"evidence", device::name_of(time.evidence)},
            {"a", span(time.a)},
            {"b", span(time.b)},
            {"apart", is_apart(time)},
            {"change_percent",
             is_apart(time) ? known(change_of(time.a->seconds, time.b->seconds)) : json(nullptr)}};
  }
  [[nodiscard]] static json of(const Comparison::Output& output) {
    const auto element = [](const std::optional<Comparison::Output::Element>& one, bool number) {
      if (!one) return json(nullptr);
      json made = {{"index", one->index}, {"a", json_text(one->a)}, {"b", json_text(one->b)}};
      if (number) made["difference"] = json_number(one->difference);
      return made;
    };
    return {{"exhibit", json_text(output.of.id)},
            {"name", json_text(output.name)},
            {"shape_a", json_text(output.shape_a)},
            {"shape_b", json_text(output.shape_b)},
            {"compared", output.compared},
            {"differing", output.differing},
            {"no_number", output.beyond},
            {"greatest", element(output.absolute, true)},
            {"greatest_relative", element(output.relative, true)},
            {"first_no_number", element(output.first_beyond, false)}};
  }
  [[nodiscard]] json of(const Comparison::Check& check) const {
    return {{"exhibit", json_text(check.of.id)},
            {"sentence", text(check.sentence)},
            {"a", state(check.a)},
            {"b", state(check.b)}};
  }
  [[nodiscard]] json of(const Comparison::Words& words) const {
    return {{"exhibit", json_text(words.of.id)},
            {"a", text(words.a)},
            {"b", text(words.b)},
            {"code", words.code}};
  }
  [[nodiscard]] static json of(const Comparison::Source& source) {
    json lines = json::array();
    const SourceExhibit costs = joint_costs(source);
    const auto cost = [&](std::uint32_t line) {
      for (const SourceExhibit::Line& one : costs.lines) {
        if (line != 0 && one.line == line)
          return json{{"threads", one.threads}, {"counters", json_of(one.counters)}};
      }
      return json(nullptr);
    };
    for (std::size_t i = 0; i < source.lines.size(); ++i) {
      const Comparison::Source::Line& line = source.lines[i];
      if (line.kind == Comparison::Source::Line::Kind::gap) {
        lines.push_back({{"kind", "gap"}, {"lines", line.a}});
        continue;
      }
      lines.push_back({{"kind", kind_name(line.kind)},
                       {"line_a", line.a},
                       {"line_b", line.b},
                       {"text", json_text(line.text)},
                       {"cost_a", cost(cost_line(source, i, false))},
                       {"cost_b", cost(cost_line(source, i, true))}});
    }
    return {{"exhibit", json_text(source.of.id)},
            {"removed", source.removed},
            {"added", source.added},
            {"least", source.least},
            {"cut", source.cut},
            {"lines", std::move(lines)}};
  }
  [[nodiscard]] static json of(const Comparison::Only& only) {
    return {{"exhibit", json_text(only.of.id)}, {"in", only.in_b ? "b" : "a"}};
  }

  static std::string_view kind_name(Comparison::Source::Line::Kind kind) {
    using Kind = Comparison::Source::Line::Kind;
    switch (kind) {
      case Kind::same: return "same";
      case Kind::removed: return "removed";
      case Kind::added: return "added";
      case Kind::gap: return "gap";
    }
    __builtin_unreachable();
  }

  const Strings& english_;
};

}  // namespace

json json_of(const Comparison& comparison, const Strings& english) {
  return JsonComparisonMaker(english)(comparison);
}

}  // namespace warpbook::lab
