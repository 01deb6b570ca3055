// exercises/<id>/: exercise.toml, and beside it the texts of each language: exercise.<code>.toml and <code>.md.
#include <algorithm>
#include <filesystem>
#include <optional>

#include "device/platform.hpp"
#include "lab/exercise/exercise.hpp"
#include "lab/text/language.hpp"
#include "lab/text/source_text.hpp"
#include "lab/text/toml_value.hpp"

namespace warpbook::lab {
namespace {

using device::ErrorCode;
namespace fs = std::filesystem;

constexpr std::size_t kTiers = 4;

/// phrase.exercise.NAME
device::Message exercise_phrase(std::string_view name, device::MessageArguments arguments = {}) {
  return {"phrase.exercise." + std::string(name), std::move(arguments), {}};
}
device::Message as_number(int value) { return device::Message::plain(std::to_string(value)); }

Gate read_gate(const TomlValue& table, TomlReader& outer) {
  TomlReader reader("gate", table, outer.file());
  Gate gate;
  gate.id = reader.text("id");
  gate.points = static_cast<int>(reader.integer("points"));
  gate.given = reader.optional_truth("given").value_or(false);
  gate.floor = reader.optional_real("floor");
  gate.ceiling = reader.optional_real("ceiling");
  if (gate.points < 0)
    reader.refuse("points", as_number(gate.points), exercise_phrase("at-least-zero"));
  if (gate.floor && gate.ceiling && *gate.floor > *gate.ceiling) {
    reader.refuse("floor", exercise_phrase("above-ceiling"), exercise_phrase("passable-floor"));
  }
  if (auto error = reader.finish()) outer.keep(std::move(*error));
  return gate;
}

bool is_gate(const ExerciseText& text, const std::string& id) {
  return std::ranges::find(text.gates, id, &Gate::id) != text.gates.end();
}

void require_gate(TomlReader& reader, std::string_view key, const ExerciseText& text,
                  const std::string& id) {
  if (id.empty() || is_gate(text, id)) return;
  std::vector<std::string> known;
  for (const Gate& gate : text.gates) known.push_back(gate.id);
  reader.refuse(key, in_quotes(id), exercise_phrase("gate-ids", {{"known", listed(known)}}));
}

Hint read_hint(const TomlValue& table, const ExerciseText& text, TomlReader& outer) {
  TomlReader reader("hint", table, outer.file());
  Hint hint;
  hint.gate = reader.text("gate");
  require_gate(reader, "gate", text, hint.gate);
  hint.tiers = reader.texts("tiers");
  if (hint.tiers.size() != kTiers) {
    reader.refuse("tiers", exercise_phrase("tiers-given", {{"number", hint.tiers.size()}}),
                  exercise_phrase("tiers"));
  }
  if (auto error = reader.finish()) outer.keep(std::move(*error));
  return hint;
}

/// exercise.<code>.toml: the title and the hints, after the gates are known.
std::optional<device::Error> read_words(const TomlValue& table, const std::string& file,
                                        ExerciseText& text) {
  TomlReader reader(fs::path(file).filename().string(), table, file);
  text.title = reader.text("title");
  for (const TomlValue* hint : reader.tables("hint"))
    text.hints.push_back(read_hint(*hint, text, reader));
  for (const Gate& gate : text.gates) {
    if (std::ranges::find(text.hints, gate.id, &Hint::gate) == text.hints.end())
      reader.refuse("hint", exercise_phrase("no-hint", {{"gate", gate.id}}),
                    exercise_phrase("hint-each"));
  }
  return reader.finish();
}

/// A file in the reader's language; missing_text where there is none.
device::Expected<std::string> read_translated(const std::string& root, const std::string& file,
                                              const std::string& language) {
  std::error_code ignored;
  if (!fs::exists(fs::path(root) / file, ignored))
    return device::failure(ErrorCode::missing_text,
                           {{"file", file}, {"language", language_name(language, root)}});
  return read_source_file(root, file);
}

class ExerciseReader {
 public:
  ExerciseReader(TomlReader& reader, const std::string& root, const std::string& id)
      : reader_(reader), folder_(fs::path(root) / "exercises" / id) {}

  void read(ExerciseText& text) {
    text.chapter = reader_.text("chapter");
    text.points = static_cast<int>(reader_.integer("points"));
    text.reveal = reader_.text("reveal");
    const std::string submission = reader_.optional_text("submission");
    constexpr auto& kNames = device::kEnumNames<Submission>;
    const auto named = std::ranges::find(kNames, submission.empty() ? "kernel" : submission);
    if (named == kNames.end()) {
      reader_.refuse("submission", in_quotes(submission),
                     one_of_quoted({kNames.begin(), kNames.end()}));
    } else {
      text.submission = static_cast<Submission>(named - kNames.begin());
    }
    if (text.reveal != "after-pass" && text.reveal != "after-due" && text.reveal != "never") {
      reader_.refuse("reveal", in_quotes(text.reveal),
                     one_of_quoted({"after-pass", "after-due", "never"}));
    }
    for (const TomlValue* table : reader_.tables("gate"))
      text.gates.push_back(read_gate(*table, reader_));
    for (const TomlValue* table : reader_.tables("mutant")) read_mutant(*table, text);
    for (const TomlValue* table : reader_.tables("equal")) {
      TomlReader inner("equal", *table, reader_.file());
      ExerciseText::Equal equal;
      equal.line = inner.text("line");
      equal.why = inner.text("why");
      if (auto error = inner.finish()) reader_.keep(std::move(*error));
      text.equals.push_back(std::move(equal));
    }
    for (const TomlValue* table : reader_.tables("alternative")) {
      TomlReader inner("alternative", *table, reader_.file());
      text.alternatives.push_back(existing(inner, inner.text("file")));
      if (auto error = inner.finish()) reader_.keep(std::move(*error));
    }
    hold_together(text);
  }

 private:
  std::string existing(TomlReader& inner, std::string file) {
    std::error_code ignored;
    if (!file.empty() && !fs::is_regular_file(folder_ / file, ignored)) {
      inner.refuse("file", exercise_phrase("no-file", {{"file", file}}),
                   exercise_phrase("file-below"));
    }
    return file;
  }
  void read_mutant(const TomlValue& table, ExerciseText& text) {
    TomlReader inner("mutant", table, reader_.file());
    ExerciseText::Mutant mutant;
    mutant.file = existing(inner, inner.text("file"));
    mutant.fails = inner.text("fails");
    mutant.why = inner.text("why");
    require_gate(inner, "fails", text, mutant.fails);
    if (auto error = inner.finish()) reader_.keep(std::move(*error));
    text.mutants.push_back(std::move(mutant));
  }
  void hold_together(const ExerciseText& text) {
    int points = 0;
    for (const Gate& gate : text.gates) {
      points += gate.points;
      const auto same = std::count_if(text.gates.begin(), text.gates.end(),
                                      [&](const Gate& other) { return other.id == gate.id; });
      if (same > 1)
        reader_.refuse("gate", exercise_phrase("gate-twice", {{"gate", gate.id}}),
                       exercise_phrase("gate-once"));
    }
    if (text.gates.empty()) {
      reader_.refuse("gate", toml_phrase("absent"),
                     toml_phrase("at-least-once", {{"key", "gate"}}));
    }
    if (points != text.points) {
      reader_.refuse("points", as_number(text.points),
                     exercise_phrase("points", {{"points", points}}));
    }
  }

  TomlReader& reader_;
  fs::path folder_;
};

}  // namespace

device::Expected<ExerciseText> load_exercise(const std::string& root, const std::string& id,
                                             const std::string& language) {
  const std::string folder = "exercises/" + id + "/";
  const std::string file = folder + "exercise.toml";
  const auto toml = device::read_file(fs::path(root) / file, 1u << 20);
  if (!toml) return tl::unexpected(toml.error());
  const auto table = parse_toml(*toml, file);
  if (!table) return tl::unexpected(table.error());

  ExerciseText text;
  text.id = id;
  TomlReader reader("exercise.toml", *table, file);
  ExerciseReader(reader, root, id).read(text);
  if (auto error = reader.finish()) return tl::unexpected(std::move(*error));

  auto starter = read_source_file(root, folder + submission_name("starter", text.submission));
  if (!starter) return tl::unexpected(starter.error());
  text.starter = std::move(*starter);
  const std::string words_file = folder + "exercise." + language + ".toml";
  const auto words = read_translated(root, words_file, language);
  if (!words) return tl::unexpected(words.error());
  const auto words_table = parse_toml(*words, words_file);
  if (!words_table) return tl::unexpected(words_table.error());
  if (auto error = read_words(*words_table, words_file, text))
    return tl::unexpected(std::move(*error));
  auto task = read_translated(root, folder + language + ".md", language);
  if (!task) return tl::unexpected(task.error());
  text.task = std::move(*task);
  return text;
}

device::Expected<std::string> load_solution(const std::string& root, const ExerciseText& text) {
  return read_source_file(root, "solutions/" + submission_name(text.id, text.submission));
}

std::string submission_name(const std::string& id, Submission submission) {
  return id + (submission == Submission::settings ? ".toml" : ".cu");
}

std::string_view language_of(Submission submission) {
  return submission == Submission::settings ? "toml" : "cuda";
}

}  // namespace warpbook::lab
