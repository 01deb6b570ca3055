// warpbook doctor: what was found on this machine, and what is missing with its remedy. Never fails.
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "cli/command.hpp"
#include "device/device.hpp"
#include "device/platform.hpp"

namespace warpbook::cli {
namespace {

struct Flags {
  LanguageFlag language;
  bool json = false;
};

int doctor(const Flags& flags) {
  const auto strings = flags.language.strings();
  const device::Compiler::Status status = compiler()->status();
  if (flags.json) {
    nlohmann::json json{
        {"compiler",
         {{"available", status.available},
          {"version", status.version},
          {"library", status.library},
          {"headers", status.headers}}},
        {"box",
         {{"rung", device::name_of(status.rung)}, {"why_not_higher", status.why_not_higher}}},
        {"state", device::state_folder().string()},
        {"cache", device::cache_folder().string()},
        {"root", device::root_folder().string()}};
    if (status.error) json["compiler"]["error"] = status.error->english();
    fmt::print("{}\n", json.dump(2));
    return kDone;
  }
  const auto row = [&](std::string_view key, const std::string& value) {
    fmt::print("{:<12} {}\n", (*strings)(key), value);
  };
  if (status.available) {
    row("cli.doctor.compiler", fmt::format("NVRTC {}  {}", status.version, status.library));
    row("cli.doctor.headers", status.headers);
  } else {
    row("cli.doctor.compiler", status.error ? (*strings)(*status.error) : "");
  }
  row("cli.doctor.box",
      (*strings)(fmt::format("cli.doctor.rung.{}", device::name_of(status.rung))));
  if (!status.why_not_higher.empty()) row("", status.why_not_higher);
  row("cli.doctor.device", (*strings)("cli.doctor.simulator"));
  row("cli.doctor.book", device::root_folder().string());
  row("cli.doctor.state", device::state_folder().string());
  row("cli.doctor.cache", device::cache_folder().string());
  return kDone;
}

}  // namespace

void add_doctor(Program& program) {
  auto flags = std::make_shared<Flags>();
  Verb verb = program.add("doctor", "Say what was found on this machine and what is missing");
  flags->language.add_to(verb);
  verb.flag("--json", flags->json, "As JSON");
  verb.does([flags] { return doctor(*flags); });
}

}  // namespace warpbook::cli
