import { Component } from 'react';
import { Details } from './Details.jsx';

export class Panel extends Component {
  state = { open: true, filter: '' };

  render() {
    return (
      <section>
        <h2>{this.props.title}</h2>
        {this.state.open && <Details order={{ id: 7 }} onClose={() => this.setState({ open: false })} />}
      </section>
    );
  }
}
