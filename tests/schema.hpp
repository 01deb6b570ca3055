// Holds JSON against the schemas of lab/.
#pragma once

#include <array>
#include <cstdio>
#include <filesystem>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "tests/temporary_folder.hpp"

namespace warpbook::tests {

/// What Python's jsonschema (draft 2020-12) has against the documents, one line each; "" where they are valid.
inline std::string complaints(const std::string& schema,
                              const std::vector<nlohmann::json>& documents) {
  const TemporaryFolder folder;
  const std::filesystem::path data =
      folder.write("documents.json", nlohmann::json(documents).dump());
  const std::filesystem::path script = folder.write("validate.py", R"py(
import json, sys
from jsonschema import Draft202012Validator
schema = json.load(open(sys.argv[1]))
Draft202012Validator.check_schema(schema)
for document in json.load(open(sys.argv[2])):
    for error in Draft202012Validator(schema).iter_errors(document):
        print(error.json_path, error.message[:200])
)py");
  const std::string arguments = " '" + script.string() + "' '" WARPBOOK_SOURCE_DIR "/lab/render/" +
                                schema + "' '" + data.string() + "' 2>&1";
  // The first Python that has the package: the system's own, where apt put it, or the one in front of it.
  const std::string command =
      "for p in /usr/bin/python3 python3; do $p -c 'import jsonschema' 2>/dev/null && exec $p" +
      arguments + "; done; echo 'python3-jsonschema is missing: apt install python3-jsonschema'";
  std::string output;
  if (std::FILE* pipe = ::popen(command.c_str(), "r")) {
    std::array<char, 4096> buffer{};
    while (const std::size_t size = std::fread(buffer.data(), 1, buffer.size(), pipe))
      output.append(buffer.data(), size);
    ::pclose(pipe);
  }
  return output;
}

}  // namespace warpbook::tests
