#include "tests/cli/program.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <stdexcept>

#include "lab/text/strings.hpp"
#include "tests/lab/text/texts.hpp"

extern char** environ;

namespace warpbook::tests {

const lab::Strings& english() {
  static const auto strings = lab::Strings::load(lab::kEnglish, WARPBOOK_SOURCE_DIR);
  if (!strings) throw std::runtime_error(strings.error().english());
  return **strings;
}

std::string read_whole(const std::filesystem::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

Outcome warpbook(const std::vector<std::string>& arguments,
                 const std::map<std::string, std::string>& environment, const std::string& input) {
  static const TemporaryFolder home;
  std::map<std::string, std::string> variables;
  for (char** entry = environ; *entry; ++entry) {
    const std::string text = *entry;
    variables[text.substr(0, text.find('='))] = text.substr(text.find('=') + 1);
  }
  variables["WARPBOOK_HOME"] = home.path().string();
  variables["WARPBOOK_ROOT"] = WARPBOOK_SOURCE_DIR;
  variables["LC_ALL"] = "C.UTF-8";
  for (const auto& [name, value] : environment) {
    if (value.empty()) {
      variables.erase(name);
    } else {
      variables[name] = value;
    }
  }
  std::vector<std::string> words{WARPBOOK_BINARY};
  words.insert(words.end(), arguments.begin(), arguments.end());
  std::vector<std::string> pairs;
  for (const auto& [name, value] : variables) pairs.push_back(name + "=" + value);
  std::vector<char*> argv, envp;
  for (std::string& word : words) argv.push_back(word.data());
  for (std::string& pair : pairs) envp.push_back(pair.data());
  argv.push_back(nullptr);
  envp.push_back(nullptr);

  const TemporaryFolder in;
  const std::string input_file = in.write("input", input);
  std::array<int, 2> out{}, err{};
  if (pipe2(out.data(), O_CLOEXEC) != 0 || pipe2(err.data(), O_CLOEXEC) != 0)
    throw std::runtime_error("pipe2");
  const pid_t child = fork();
  if (child == 0) {
    dup2(open(input_file.c_str(), O_RDONLY), STDIN_FILENO);
    dup2(out[1], STDOUT_FILENO);
    dup2(err[1], STDERR_FILENO);
    execve(argv[0], argv.data(), envp.data());
    _exit(127);
  }
  close(out[1]);
  close(err[1]);
  Outcome outcome;
  std::array<pollfd, 2> waiting{pollfd{out[0], POLLIN, 0}, pollfd{err[0], POLLIN, 0}};
  while (waiting[0].fd >= 0 || waiting[1].fd >= 0) {
    poll(waiting.data(), waiting.size(), -1);
    for (std::size_t i = 0; i < waiting.size(); ++i) {
      if (waiting[i].fd < 0 || waiting[i].revents == 0) continue;
      std::array<char, 65536> buffer;
      const ssize_t got = read(waiting[i].fd, buffer.data(), buffer.size());
      if (got > 0) {
        (i == 0 ? outcome.out : outcome.err).append(buffer.data(), static_cast<std::size_t>(got));
      } else {
        close(waiting[i].fd);
        waiting[i].fd = -1;
      }
    }
  }
  int status = 0;
  waitpid(child, &status, 0);
  outcome.code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  return outcome;
}

Says said(std::string key, device::MessageArguments arguments) {
  return Says(std::move(key), std::move(arguments), patterns_of(english()));
}

device::Message names(const std::vector<std::string>& all) {
  std::vector<device::Message> parts;
  for (const std::string& one : all) parts.push_back(device::Message::plain(one));
  return device::Message::list_of("list.names", std::move(parts));
}

}  // namespace warpbook::tests
