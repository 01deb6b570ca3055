// warpbook doctor: what was found on this machine, whether it fits together, and what is missing with its remedy. Never
// fails.
#include <future>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "cli/command.hpp"
#include "cli/commands/doctor_window.hpp"
#include "device/nvcc/nvcc.hpp"
#include "device/platform.hpp"
#include "device/runtime/program_box.hpp"

namespace warpbook::cli {
namespace {

using nlohmann::json;

struct DoctorFlags {
  LanguageFlag language;
  bool json = false;
};

/// Why a part is not here, in a language; empty where it is.
std::string problem_with(const lab::MachinePart& finding, const lab::Strings& strings) {
  if (finding.error) return strings(*finding.error);
  if (finding.missing.empty()) return {};
  return strings("machine.missing." + finding.missing, finding.arguments);
}

json to_json(const lab::Machine& findings, const lab::Strings& english) {
  json parts = json::object(), fits = json::object();
  for (const lab::MachinePart& finding : findings.parts) {
    json& part = parts[finding.part];
    part = {{"here", !finding.found.empty()}, {"found", finding.found}};
    if (const std::string problem = problem_with(finding, english); !problem.empty())
      part["problem"] = problem;
    if (!finding.remedy.empty()) part["remedy"] = finding.remedy;
  }
  for (const lab::MachineFit& fit : findings.fits) {
    fits[fit.name] = {{"fits", fit.fits},
                      {"text", english((fit.fits ? "machine.fit." : "machine.misfit.") + fit.name,
                                       fit.arguments)}};
  }
  return {{"parts", parts}, {"fits", fits}};
}

/// Only whole programs need it.
void look_at_nvcc(lab::Machine& machine) {
  lab::MachinePart part{"nvcc", {}, {}, {}, {}, {}};
  if (const auto nvcc = device::find_nvcc()) {
    part.found = {nvcc->program.string()};
  } else {
    part.missing = "no-nvcc";
    part.remedy = device::kNvccCommand;
  }
  machine.parts.push_back(std::move(part));
}

using ProgramBox = device::Expected<device::runtime::BoxInForce>;

/// The layers by their name in cli.doctor.program.
std::string_view name_of(const ProgramBox& box) {
  if (!box) return "none";
  if (!box->layers.namespaces) return "landlock";
  return box->layers.landlock ? "both" : "namespaces";
}

std::string why_not_more(const ProgramBox& box) {
  return box ? box->why_not_more : box.error().english();
}

int doctor_json(const device::Compiler::Status& status, const ProgramBox& program_box,
                const lab::Machine& findings) {
  const auto english = lab::Strings::load(lab::kEnglish, device::root_folder().string());
  if (!english) return complain(english.error());
  json found = to_json(findings, **english);
  found["compiler"] = {{"available", status.available},
                       {"version", status.version},
                       {"library", status.library},
                       {"headers", status.headers}};
  if (status.error) found["compiler"]["error"] = status.error->english();
  found["box"] = {{"confinement", device::name_of(status.level)},
                  {"why_not_higher", status.why_not_higher}};
  found["program_box"] = {{"layers", name_of(program_box)},
                          {"why_not_more", why_not_more(program_box)}};
  found["state"] = device::state_folder().string();
  found["cache"] = device::cache_folder().string();
  found["root"] = device::root_folder().string();
  fmt::print("{}\n", found.dump(2));
  return kDone;
}

int doctor(const DoctorFlags& flags) {
  const auto strings = flags.language.strings();
  const device::Compiler::Status status = compiler()->status();
  auto opengl = std::async(std::launch::async, device::libraries::ask_opengl);
  auto looked = lab::look_at_machine(status);
  if (!looked) return complain(looked.error());
  lab::Machine& findings = *looked;
  look_at_nvcc(findings);
  look_at_window(opengl.get(), findings);
  const ProgramBox program_box = device::runtime::probe_program_box();
  if (flags.json) return doctor_json(status, program_box, findings);

  // Names are of different widths in Chinese: a tab's worth of columns each, as a terminal shows them.
  const auto row = [](const std::string& name, const std::string& value) {
    std::size_t columns = 0;
    for (const char c : name) columns += (c & 0xc0) != 0x80 ? (c & 0x80 ? 2 : 1) : 0;
    fmt::print("{}{} {}\n", name, std::string(columns < 12 ? 12 - columns : 0, ' '), value);
  };
  const auto label = [&](const std::string& key) { return (*strings)("cli.doctor." + key); };
  for (const lab::MachinePart& finding : findings.parts) {
    std::string name = (*strings)("machine.part." + finding.part);
    if (!finding.found.empty())
      row(std::exchange(name, ""), fmt::format("{}", fmt::join(finding.found, "  ")));
    if (const std::string problem = problem_with(finding, *strings); !problem.empty())
      row(std::exchange(name, ""), problem);
    if (!finding.remedy.empty())
      row("", (*strings)("machine.remedy", {{"command", finding.remedy}}));
  }
  for (const lab::MachineFit& fit : findings.fits) {
    row((*strings)(fit.fits ? "machine.fits" : "machine.misfits"),
        (*strings)((fit.fits ? "machine.fit." : "machine.misfit.") + fit.name, fit.arguments));
  }
  row(label("box"), label("confinement." + std::string(device::name_of(status.level))));
  if (!status.why_not_higher.empty()) row("", status.why_not_higher);
  row(label("programs"), label("program." + std::string(name_of(program_box))));
  if (!program_box) {
    row("", (*strings)(program_box.error()));
  } else if (!program_box->why_not_more.empty()) {
    row("", program_box->why_not_more);
  }
  row(label("device"), label("simulator"));
  row(label("book"), device::root_folder().string());
  row(label("state"), device::state_folder().string());
  row(label("cache"), device::cache_folder().string());
  return kDone;
}

}  // namespace

void add_doctor(CommandLine& line) {
  auto flags = std::make_shared<DoctorFlags>();
  Verb verb = line.add("doctor", "Say what was found on this machine and what is missing");
  flags->language.add_to(verb);
  verb.flag("--json", flags->json, "As JSON");
  verb.does([flags] { return doctor(*flags); });
}

}  // namespace warpbook::cli
