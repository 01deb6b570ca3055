// Checks a chapter's text against its lesson, and compares the texts of two languages.
#include <algorithm>
#include <filesystem>
#include <set>

#include "lab/document/directive.hpp"
#include "lab/document/document.hpp"
#include "lab/document/markdown.hpp"
#include "lab/document/text_error.hpp"
#include "lab/markup/phrases.hpp"
#include "lab/text/toml_value.hpp"

namespace warpbook::lab {
namespace {

using device::Error;
using device::ErrorCode;
namespace fs = std::filesystem;

/// phrase.chapter.NAME
Message chapter_phrase(std::string_view name, MessageArguments arguments = {}) {
  return {"phrase.chapter." + std::string(name), std::move(arguments), {}};
}

template <class Rows, class Name>
std::vector<std::string> names_of(const Rows& rows, Name name) {
  std::vector<std::string> names;
  for (const auto& row : rows) names.push_back(name(row));
  return names;
}

bool contains(const std::vector<std::string>& names, std::string_view name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

class Validation {
 public:
  Validation(const Document& document, const Lesson& lesson, const std::string& root,
             const Report* report)
      : document_(document), lesson_(lesson), root_(root) {
    parameters_ = names_of(lesson.parameters, [](const Parameter& p) { return p.name; });
    figures_ = names_of(lesson.figures, [](const LiveFigure& f) { return f.name; });
    answers_ = names_of(lesson.answers, [](const Answer& a) { return a.name; });
    if (report) {
      exhibits_known_ = true;
      exhibits_ = names_of(report->exhibits, [](const Exhibit& e) { return e.id; });
    }
    for (const DocumentNode& block : document.nodes) {
      if (const auto* term = std::get_if<TermDirective>(&block)) terms_.insert(term->id);
    }
  }

  std::vector<Error> run() {
    for (std::size_t i = 0; i < document_.nodes.size(); ++i) {
      line_ = document_.lines[i];
      std::visit([&](const auto& block) { check(block); }, document_.nodes[i]);
      check_spoiler(i);
    }
    return std::move(errors_);
  }

 private:
  void keep(ErrorCode code, MessageArguments arguments) {
    errors_.push_back({code, std::move(arguments), {document_.file, line_, 0}});
  }
  void want(const std::vector<std::string>& known, std::string_view kind, const std::string& name) {
    if (contains(known, name)) return;
    keep(ErrorCode::unknown_name, {{"kind", Message{"phrase.kind." + std::string(kind), {}, {}}},
                                   {"name", name},
                                   {"known", listed(known)}});
  }
  void exhibit(const std::string& id) {
    if (exhibits_known_) want(exhibits_, "exhibit", id);
  }
  void veil(const std::string& id) {
    if (id.starts_with('=')) {
      want(figures_, "figure", id.substr(1));
    } else if (id != kVeiledErrors) {
      exhibit(id);
    }
  }
  void source(const std::string& path) {
    if (path.empty()) return;
    std::error_code ignored;
    if (lesson_.slots.empty()) {
      errors_.push_back(text_error("source", {}, {document_.file, line_, 0}));
    } else if (!fs::is_regular_file(fs::path(root_) / path, ignored)) {
      keep(ErrorCode::file_unreadable,
           {{"file", path}, {"why", Message{"phrase.why.no-file-below", {}, {}}}});
    }
  }
  void set(const std::map<std::string, std::string>& values) {
    for (const auto& [name, text] : values) {
      want(parameters_, "parameter", name);
      for (const Parameter& parameter : lesson_.parameters) {
        if (parameter.name != name) continue;
        if (auto value = parse(parameter, text); !value) {
          Error error = value.error();
          error.place = {document_.file, line_, 0};
          errors_.push_back(std::move(error));
        }
      }
    }
  }
  void spans(const Spans& text) {
    for (const Span& span : text) {
      if (span.kind == Span::Kind::figure) want(figures_, "figure", span.text);
      if (span.kind == Span::Kind::parameter) want(parameters_, "parameter", span.text);
      if (span.kind == Span::Kind::link) link(span.target);
    }
  }
  void link(const std::string& target) {
    std::error_code ignored;
    if (target.starts_with("https://")) return;
    if (!target.starts_with('#')) {
      if (!fs::is_directory(fs::path(root_) / "lessons" / target, ignored)) {
        keep(ErrorCode::unknown_name, {{"kind", Message{"phrase.kind.chapter", {}, {}}},
                                       {"name", target},
                                       {"known", chapter_phrase("folders")}});
      }
    } else if (!terms_.contains(target.substr(1)) && !term_elsewhere(target.substr(1))) {
      keep(ErrorCode::unknown_name, {{"kind", Message{"phrase.kind.term", {}, {}}},
                                     {"name", target.substr(1)},
                                     {"known", listed({terms_.begin(), terms_.end()})}});
    }
  }
  bool term_elsewhere(const std::string& id) const {
    std::error_code ignored;
    for (const auto& folder : fs::directory_iterator(fs::path(root_) / "lessons", ignored)) {
      if (!folder.is_directory()) continue;
      const auto other =
          load_document(root_, folder.path().filename().string(), document_.language);
      if (!other) continue;
      for (const DocumentNode& block : other->nodes) {
        const auto* term = std::get_if<TermDirective>(&block);
        if (term && term->id == id) return true;
      }
    }
    return false;
  }

  void check(const Paragraph& block) { spans(block.spans); }
  void check(const Heading& block) { spans(block.spans); }
  void check(const CodeBlock& block) {
    if (!block.exhibit.empty()) exhibit(block.exhibit);
  }
  void check(const FormulaBlock&) {}
  void check(const ListBlock& block) {
    for (const Spans& item : block.items) spans(item);
  }
  void check(const Aside& block) {
    for (const Spans& paragraph : block.paragraphs) spans(paragraph);
  }
  void check(const StepDirective& block) {
    const auto& names = step_names();
    const auto at =
        static_cast<std::size_t>(std::find(names.begin(), names.end(), block.name) - names.begin());
    if (at < next_step_) {
      keep(ErrorCode::bad_value,
           {{"key", "name"},
            {"what", "step"},
            {"got", chapter_phrase("step-late", {{"name", block.name}})},
            {"expected", chapter_phrase("steps", {{"known", listed(names)}})}});
    }
    next_step_ = at + 1;
  }
  void check(const PredictDirective& block) {
    spans(block.question);
    spans(block.right);
    set(block.set);
    source(block.source);
    for (const std::string& id : block.veils) veil(id);
    for (const std::string& id : block.always) want(block.veils, "always", id);
    want(answers_, "answer", block.answer);
    int right_ones = 0;
    for (const auto& choice : block.choices) {
      spans(choice.text);
      spans(choice.why);
      set(choice.set);
      if (choice.misconception.empty()) {
        ++right_ones;
      } else if (choice.why.empty()) {
        keep(ErrorCode::missing_key,
             {{"what",
               chapter_phrase("choice", {{"text", plain_text(choice.text)}, {"name", block.id}})},
              {"key", "why"},
              {"known", chapter_phrase("why")}});
      }
    }
    if (right_ones != 1) {
      keep(ErrorCode::bad_value,
           {{"key", "misconception"},
            {"what", block.id},
            {"got", chapter_phrase("right-choices", {{"number", right_ones}})},
            {"expected", chapter_phrase("misconception")}});
    }
  }
  void check(const ExhibitDirective& block) {
    exhibit(block.id);
    if (!block.beside.empty()) exhibit(block.beside);
  }
  void check(const TryDirective& block) {
    spans(block.text);
    set(block.set);
    source(block.source);
  }
  void check(const IndexDirective&) {}
  void check(const CompareDirective& block) {
    for (const std::string& id : block.exhibits) exhibit(id);
    for (const auto& variant : block.variants) {
      spans(variant.label);
      set(variant.set);
      source(variant.source);
    }
  }
  void check(const ExerciseDirective& block) { want(lesson_.exercises, "exercise", block.id); }
  void check(const TermDirective& block) {
    spans(block.name);
    spans(block.meaning);
    const bool live = std::ranges::any_of(block.meaning, [](const Span& span) {
      return span.kind == Span::Kind::figure || span.kind == Span::Kind::parameter;
    });
    if (live) {
      errors_.push_back(text_error("live-term", {{"name", block.id}}, {document_.file, line_, 0}));
    }
  }

  // Whether all that the question at this place covers stands below it and nowhere else. Figures stand in sentences, wherever.
  [[nodiscard]] bool covers_only_below(const PredictDirective& question, std::size_t at) const {
    return std::ranges::all_of(question.veils, [&](const std::string& id) {
      bool below = false;
      for (std::size_t i = 0; i < document_.nodes.size(); ++i) {
        const auto* exhibit = std::get_if<ExhibitDirective>(&document_.nodes[i]);
        const auto* compare = std::get_if<CompareDirective>(&document_.nodes[i]);
        const bool shown = (exhibit && (exhibit->id == id || exhibit->beside == id)) ||
                           (compare && std::ranges::count(compare->exhibits, id) != 0);
        if (shown && i < at) return false;
        below |= shown;
      }
      return below;
    });
  }

  // What a reader is asked to try before a question may not be the run that the question asks about: it would come up
  // covered, or give the answer away. What has its only place below the question does neither.
  void check_spoiler(std::size_t at) {
    const auto* attempt = std::get_if<TryDirective>(&document_.nodes[at]);
    if (!attempt) return;
    PredictDirective run;
    run.set = attempt->set;
    run.source_text = attempt->source_text;
    const Inputs inputs = deciding_inputs(run, lesson_, {});
    for (std::size_t i = at + 1; i < document_.nodes.size(); ++i) {
      const auto* question = std::get_if<PredictDirective>(&document_.nodes[i]);
      if (!question || question->veils.empty() || !decides(*question, lesson_, inputs)) continue;
      if (covers_only_below(*question, i)) continue;
      keep(ErrorCode::bad_value,
           {{"key", "set"},
            {"what", "try"},
            {"got", chapter_phrase("later-question", {{"name", question->id}})},
            {"expected", chapter_phrase("other-numbers")}});
    }
  }

  const Document& document_;
  const Lesson& lesson_;
  const std::string& root_;
  std::vector<std::string> parameters_, figures_, answers_, exhibits_;
  bool exhibits_known_ = false;
  std::set<std::string> terms_;
  std::size_t next_step_ = 0;
  std::uint32_t line_ = 0;
  std::vector<Error> errors_;
};

/// phrase.differ.NAME
Message differ_phrase(std::string_view name, MessageArguments arguments = {}) {
  return {"phrase.differ." + std::string(name), std::move(arguments), {}};
}

/// One thing that both languages must have alike.
struct SignedField {
  Message name;  ///< a key of the directive, or a phrase
  std::string value;

  SignedField(std::string_view key, std::string text)
      : name(Message::plain(std::string(key))), value(std::move(text)) {}
  SignedField(Message phrase, std::string text) : name(std::move(phrase)), value(std::move(text)) {}
  friend bool operator==(const SignedField&, const SignedField&) = default;
};

/// The fields of a directive that both languages must have alike. The first names the directive.
struct Signature {
  using Fields = std::vector<SignedField>;

  static std::string joined(const std::map<std::string, std::string>& set) {
    const std::vector<std::pair<std::string, std::string>> settings(set.begin(), set.end());
    return "{ " + settings_text(settings) + " }";
  }
  static std::string joined(const std::vector<std::string>& names) {
    std::string text = "[";
    for (const std::string& name : names) text += (text.size() > 1 ? ", " : "") + name;
    return text + "]";
  }

  Fields operator()(const StepDirective& d) const { return {{"step", d.name}}; }
  Fields operator()(const ExhibitDirective& d) const {
    return {{"exhibit", d.id}, {"beside", d.beside}};
  }
  Fields operator()(const CodeBlock& d) const {
    if (d.file.empty()) return {};
    return {{"program", d.file}, {"exhibit", d.exhibit}};
  }
  Fields operator()(const IndexDirective& d) const { return {{"index", d.formula}}; }
  Fields operator()(const ExerciseDirective& d) const { return {{"exercise", d.id}}; }
  Fields operator()(const TermDirective& d) const { return {{"term", d.id}}; }
  Fields operator()(const TryDirective& d) const {
    return {{"try", ""}, {"set", joined(d.set)}, {"source", d.source}};
  }
  Fields operator()(const PredictDirective& d) const {
    Fields fields = {{"predict", d.id},
                     {"answer", d.answer},
                     {"set", joined(d.set)},
                     {"source", d.source},
                     {"rests_on_gpu", d.rests_on_gpu ? "true" : "false"},
                     {"veils", joined(d.veils)},
                     {"always", joined(d.always)},
                     {differ_phrase("choices"), std::to_string(d.choices.size())}};
    for (const auto& choice : d.choices) {
      fields.emplace_back("value", choice.value);
      fields.emplace_back("misconception", choice.misconception);
      fields.emplace_back(differ_phrase("choice-set", {{"value", choice.value}}),
                          joined(choice.set));
    }
    return fields;
  }
  Fields operator()(const CompareDirective& d) const {
    Fields fields = {{"compare", ""},
                     {"exhibits", joined(d.exhibits)},
                     {differ_phrase("variants"), std::to_string(d.variants.size())}};
    for (const auto& variant : d.variants) {
      fields.emplace_back("set", joined(variant.set));
      fields.emplace_back("source", variant.source);
    }
    return fields;
  }
  template <class Prose>
  Fields operator()(const Prose&) const {
    return {};
  }
};

/// Collects the LaTeX of every formula in a block.
class Formulae {
 public:
  void operator()(const Paragraph& block) { add(block.spans); }
  void operator()(const Heading& block) { add(block.spans); }
  void operator()(const ListBlock& block) {
    for (const Spans& item : block.items) add(item);
  }
  void operator()(const Aside& block) {
    for (const Spans& paragraph : block.paragraphs) add(paragraph);
  }
  void operator()(const FormulaBlock& block) { found_.push_back(block.latex); }
  void operator()(const PredictDirective& block) {
    add(block.question);
    add(block.right);
    for (const auto& choice : block.choices) {
      add(choice.text);
      add(choice.why);
    }
  }
  void operator()(const TryDirective& block) { add(block.text); }
  void operator()(const TermDirective& block) {
    add(block.name);
    add(block.meaning);
  }
  void operator()(const CompareDirective& block) {
    for (const auto& variant : block.variants) add(variant.label);
  }
  template <class WithoutProse>
  void operator()(const WithoutProse&) {}

  /// Those since the last call; sorted, since languages differ in what they say first.
  std::vector<std::string> take() {
    std::ranges::sort(found_);
    return std::exchange(found_, {});
  }

 private:
  void add(const Spans& spans) {
    for (const Span& span : spans) {
      if (span.kind == Span::Kind::formula) found_.push_back(span.target);
    }
  }
  std::vector<std::string> found_;
};

struct Signed {
  std::uint32_t line = 0;
  Signature::Fields fields;
};

std::vector<Signed> signatures(const Document& document) {
  std::vector<Signed> result;
  Formulae formulae;
  for (std::size_t i = 0; i < document.nodes.size(); ++i) {
    std::visit(formulae, document.nodes[i]);
    auto fields = std::visit(Signature{}, document.nodes[i]);
    if (fields.empty()) continue;
    fields.emplace_back(differ_phrase("formulae"), Signature::joined(formulae.take()));
    result.push_back({document.lines[i], std::move(fields)});
  }
  const std::uint32_t last = document.lines.empty() ? 1 : document.lines.back();
  result.push_back({last,
                    {{differ_phrase("nothing-more"), ""},
                     {differ_phrase("formulae"), Signature::joined(formulae.take())}}});
  return result;
}

Message described(const SignedField& field) {
  if (field.value.empty()) return field.name;
  return differ_phrase("field", {{"name", field.name}, {"value", field.value}});
}

}  // namespace

std::vector<device::Error> validate(const Document& document, const Lesson& lesson,
                                    const std::string& root, const Report* report) {
  return Validation(document, lesson, root, report).run();
}

std::vector<device::Error> compare_directives(const Document& a, const Document& b) {
  const auto expected = signatures(a);
  const auto got = signatures(b);
  std::vector<Error> errors;
  const auto differ = [&](std::uint32_t line, Message is, Message should_be) {
    errors.push_back(
        {ErrorCode::directives_differ,
         {{"got", std::move(is)}, {"other", a.file}, {"expected", std::move(should_be)}},
         {b.file, line, 0}});
  };
  for (std::size_t i = 0; i < std::max(expected.size(), got.size()); ++i) {
    if (i >= expected.size() || i >= got.size()) {
      const std::uint32_t last = b.lines.empty() ? 1 : b.lines.back();
      differ(
          i < got.size() ? got[i].line : last,
          i < got.size() ? described(got[i].fields[0]) : differ_phrase("nothing-more"),
          i < expected.size() ? described(expected[i].fields[0]) : differ_phrase("nothing-more"));
      break;
    }
    const auto& left = expected[i].fields;
    const auto& right = got[i].fields;
    if (left[0] != right[0]) {
      differ(got[i].line, described(right[0]), described(left[0]));
      break;  // what follows is out of step
    }
    for (std::size_t f = 1; f < std::min(left.size(), right.size()); ++f) {
      if (left[f] == right[f]) continue;
      differ(got[i].line,
             differ_phrase("in-directive",
                           {{"field", described(right[f])}, {"directive", described(right[0])}}),
             described(left[f]));
      break;
    }
  }
  return errors;
}

}  // namespace warpbook::lab
