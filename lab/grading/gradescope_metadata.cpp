#include "lab/grading/gradescope_metadata.hpp"

#include <yaml.h>

namespace warpbook::lab {
namespace {

using device::Message;

/// The file as a tree. An alias is the same node again and never a copy, so that no file grows when it is read.
class YamlDocument {
 public:
  explicit YamlDocument(std::string_view text) {
    yaml_parser_initialize(&parser_);
    yaml_parser_set_input_string(&parser_, reinterpret_cast<const unsigned char*>(text.data()),
                                 text.size());
    loaded_ = yaml_parser_load(&parser_, &document_) != 0;
  }
  YamlDocument(const YamlDocument&) = delete;
  YamlDocument& operator=(const YamlDocument&) = delete;
  ~YamlDocument() {
    if (loaded_) yaml_document_delete(&document_);
    yaml_parser_delete(&parser_);
  }

  /// Null where the text is no YAML.
  const yaml_node_t* root() { return loaded_ ? yaml_document_get_root_node(&document_) : nullptr; }
  [[nodiscard]] std::string problem() const { return parser_.problem ? parser_.problem : ""; }

  static std::string scalar(const yaml_node_t* node) {
    if (!node || node->type != YAML_SCALAR_NODE) return {};
    return {reinterpret_cast<const char*>(node->data.scalar.value), node->data.scalar.length};
  }
  /// Calls `visit(key, value)` for each entry of a mapping.
  template <class Visit>
  void entries(const yaml_node_t* node, const Visit& visit) {
    if (!node || node->type != YAML_MAPPING_NODE) return;
    for (const auto* pair = node->data.mapping.pairs.start; pair < node->data.mapping.pairs.top;
         ++pair) {
      visit(scalar(yaml_document_get_node(&document_, pair->key)),
            yaml_document_get_node(&document_, pair->value));
    }
  }
  template <class Visit>
  void items(const yaml_node_t* node, const Visit& visit) {
    if (!node || node->type != YAML_SEQUENCE_NODE) return;
    for (const auto* item = node->data.sequence.items.start; item < node->data.sequence.items.top;
         ++item)
      visit(yaml_document_get_node(&document_, *item));
  }

 private:
  yaml_parser_t parser_{};
  yaml_document_t document_{};
  bool loaded_ = false;
};

Student read_submitter(YamlDocument& yaml, const yaml_node_t* node) {
  Student student;
  yaml.entries(node, [&](const std::string& key, const yaml_node_t* value) {
    if (key == ":sid") student.id = YamlDocument::scalar(value);
    if (key == ":name") student.name = YamlDocument::scalar(value);
    if (key == ":email") student.email = YamlDocument::scalar(value);
  });
  // A course without student numbers knows its students by their addresses.
  if (student.id.empty()) student.id = student.email;
  return student;
}

GradescopeSubmission read_submission(YamlDocument& yaml, const yaml_node_t* node) {
  GradescopeSubmission submission;
  yaml.entries(node, [&](const std::string& key, const yaml_node_t* value) {
    if (key == ":created_at") submission.when = parse_time(YamlDocument::scalar(value));
    if (key != ":submitters") return;
    yaml.items(value, [&](const yaml_node_t* submitter) {
      Student student = read_submitter(yaml, submitter);
      if (!student.id.empty()) submission.submitters.push_back(std::move(student));
    });
  });
  return submission;
}

}  // namespace

device::Expected<std::map<std::string, GradescopeSubmission>> parse_gradescope_metadata(
    std::string_view text) {
  YamlDocument yaml(text);
  const yaml_node_t* root = yaml.root();
  std::map<std::string, GradescopeSubmission> all;
  yaml.entries(root, [&](const std::string& folder, const yaml_node_t* node) {
    all[folder] = read_submission(yaml, node);
  });
  if (all.empty()) {
    return device::failure(device::ErrorCode::bad_value,
                           {{"key", ":submitters"},
                            {"what", "submission_metadata.yml"},
                            {"got", Message::plain(yaml.problem())},
                            {"expected", Message{"phrase.handed.metadata", {}, {}}}});
  }
  return all;
}

}  // namespace warpbook::lab
