// The state's file: one JSON object with its schema version.
#include <nlohmann/json.hpp>

#include "lab/book/state.hpp"
#include "lab/text/host.hpp"

namespace warpbook::lab {
namespace {

using device::ErrorCode;
using nlohmann::json;

PlaceState read_place(const json& entry) {
  PlaceState place;
  place.node = entry.value("node", place.node);
  place.below_top = entry.value("below_top", place.below_top);
  place.lab_scroll = entry.value("lab_scroll", place.lab_scroll);
  place.slot = entry.value("slot", place.slot);
  return place;
}

json json_of(const PlaceState& place) {
  return {{"node", place.node},
          {"below_top", place.below_top},
          {"lab_scroll", place.lab_scroll},
          {"slot", place.slot}};
}

DeskState read_desk(const json& entry) {
  DeskState desk;
  desk.stop = entry.value("stop", desk.stop);
  desk.list = entry.value("list", desk.list);
  desk.zoom = entry.value("zoom", desk.zoom);
  desk.ptx = entry.value("ptx", desk.ptx);
  desk.sass = entry.value("sass", desk.sass);
  desk.held = entry.value("held", desk.held);
  desk.lab_tab = entry.value("lab_tab", desk.lab_tab);
  desk.in_words = entry.value("in_words", desk.in_words);
  return desk;
}

json json_of(const DeskState& desk) {
  return {{"stop", desk.stop},       {"list", desk.list},        {"zoom", desk.zoom},
          {"ptx", desk.ptx},         {"sass", desk.sass},        {"held", desk.held},
          {"lab_tab", desk.lab_tab}, {"in_words", desk.in_words}};
}

EarlierRun read_run(const json& entry) {
  EarlierRun run;
  run.setting = entry.value("setting", "");
  run.slot = entry.value("slot", "");
  run.source = entry.value("source", "");
  run.seconds = entry.value("seconds", 0.0);
  run.low = entry.value("low", 0.0);
  run.high = entry.value("high", 0.0);
  run.sectors = entry.value("sectors", 0.0);
  run.instructions = entry.value("instructions", 0.0);
  run.memory = entry.value("memory", 0.0);
  return run;
}

json json_of(const EarlierRuns& runs) {
  json all = json::array();
  for (const EarlierRun& run : runs) {
    all.push_back({{"setting", run.setting},
                   {"slot", run.slot},
                   {"source", run.source},
                   {"seconds", run.seconds},
                   {"low", run.low},
                   {"high", run.high},
                   {"sectors", run.sectors},
                   {"instructions", run.instructions},
                   {"memory", run.memory}});
  }
  return all;
}

// Throws json::exception where something is of the wrong kind; what is absent stays at its default.
ReaderState read_state(const json& root) {
  ReaderState state;
  state.language = root.value("language", "");
  state.theme = root.value("theme", "");
  state.motion = root.value("motion", "");
  state.gpu = root.value("gpu", "");
  state.chapter = root.value("chapter", "");
  state.program = root.value("program", "");
  state.program_arguments = root.value("program_arguments", "");
  state.program_open = root.value("program_open", false);
  state.desk = read_desk(root.value("desk", json::object()));
  const json chapters = root.value("chapters", json::object());
  for (const auto& [slug, entry] : chapters.items()) {
    ChapterState& chapter = state.chapters[slug];
    const json answers = entry.value("answers", json::object());
    for (const auto& [id, value] : answers.items()) chapter.answers[id] = value.get<std::string>();
    chapter.sources = entry.value("sources", std::map<std::string, std::string>());
    chapter.values = entry.value("values", std::map<std::string, std::string>());
    for (const json& run : entry.value("runs", json::array()))
      chapter.runs.push_back(read_run(run));
    chapter.step = entry.value("step", "");
    chapter.place = read_place(entry.value("place", json::object()));
  }
  const json exercises = root.value("exercises", json::object());
  for (const auto& [id, entry] : exercises.items()) {
    ExerciseState& exercise = state.exercises[id];
    exercise.draft = entry.value("draft", "");
    // Once the day was not kept.
    if (const json passed = entry.value("passed", json()); passed.is_string()) {
      exercise.progress.passed = passed.get<std::string>();
    } else if (passed == true) {
      exercise.progress.passed = now_iso();
    }
    exercise.progress.hints = entry.value("hints", std::map<std::string, int>());
  }
  return state;
}

tl::unexpected<device::Error> damaged(const std::string& file, device::Message why) {
  return device::failure(ErrorCode::bad_value,
                         {{"key", "state"},
                          {"what", file},
                          {"got", std::move(why)},
                          {"expected", device::Message{"phrase.state.expected"}}});
}

}  // namespace

std::string state_to_json(const ReaderState& state) {
  json root;
  root["version"] = StateStore::kVersion;
  root["language"] = state.language;
  root["theme"] = state.theme;
  root["motion"] = state.motion;
  root["gpu"] = state.gpu;
  root["chapter"] = state.chapter;
  root["program"] = state.program;
  root["program_arguments"] = state.program_arguments;
  root["program_open"] = state.program_open;
  root["desk"] = json_of(state.desk);
  json& chapters = root["chapters"] = json::object();
  for (const auto& [slug, chapter] : state.chapters) {
    json answers = json::object();
    for (const auto& [id, value] : chapter.answers) answers[id] = value;
    chapters[slug] = {{"answers", std::move(answers)}, {"sources", chapter.sources},
                      {"values", chapter.values},      {"runs", json_of(chapter.runs)},
                      {"step", chapter.step},          {"place", json_of(chapter.place)}};
  }
  json& exercises = root["exercises"] = json::object();
  for (const auto& [id, exercise] : state.exercises) {
    if (!exercise.file.empty()) continue;
    exercises[id] = {{"draft", exercise.draft},
                     {"passed", exercise.progress.passed},
                     {"hints", exercise.progress.hints}};
  }
  // A half-typed character in an edit is no reason to lose all edits.
  return root.dump(1, ' ', false, json::error_handler_t::replace) + "\n";
}

device::Expected<ReaderState> state_from_json(const std::string& text, const std::string& file,
                                              ReaderState* partly) {
  const json root = json::parse(text, nullptr, false);
  if (!root.is_object())
    return damaged(file, {root.is_discarded() ? "phrase.state.no-json" : "phrase.state.no-object"});
  const auto version = root.find("version");
  if (version == root.end() || !version->is_number_integer())
    return damaged(file, {"phrase.state.no-version"});
  try {
    ReaderState state = read_state(root);
    if (version->get<std::int64_t>() == StateStore::kVersion) return state;
    if (partly) *partly = std::move(state);
  } catch (const json::exception& wrong) {
    if (version->get<std::int64_t>() == StateStore::kVersion)
      return damaged(file, {"phrase.state.unreadable", {{"detail", wrong.what()}}});
  }
  if (version->get<std::int64_t>() < StateStore::kVersion)
    return damaged(file, {"phrase.state.no-such-version"});
  return device::failure(ErrorCode::state_newer,
                         {{"file", file},
                          {"version", std::to_string(version->get<std::int64_t>())},
                          {"known", std::to_string(StateStore::kVersion)}});
}

}  // namespace warpbook::lab
